"""Page contexts -> HTML: the one place for jinja2. Whatever is not ``Html`` is escaped; a missing value is an error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleslawyer import urls
from ruleslawyer.pages import Page
from ruleslawyer.words import words_in


class Renderer:
    """Renders pages with the templates of a folder."""

    def __init__(self, templates: Path, assets: Mapping[str, str]) -> None:
        """``assets``: the site paths of what pages share, by name."""
        self._assets = {name: path.removeprefix(f"{urls.ASSETS}/") for name, path in assets.items()}
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def html(self, page: Page) -> str:
        """A page as HTML, with a stand-in for its mark (``urls.MARK``).

        The template sees ``page`` (a context of ``views``), ``frame``, ``words``, and ``asset(NAME)``: an address.
        """
        frame = page.view.frame

        def asset(name: str) -> str:
            return frame.assets + self._assets[name]

        template = self._environment.get_template(page.template)
        return template.render(page=page.view, frame=frame, words=words_in(frame.lang), asset=asset, mark=urls.MARK)
