"""Page contexts -> HTML: the one place for jinja2. Whatever is not ``Html`` is escaped; a missing value is an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleslawyer import urls
from ruleslawyer.pages import Page
from ruleslawyer.views import Public
from ruleslawyer.words import words_in


class Rendered(NamedTuple):
    """A finished page: its site path, its HTML, and its public addresses if it has any."""

    path: str
    html: str
    public: Public | None


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

    def prepare(self, templates: Iterable[str]) -> None:
        """Compile templates now, rather than in each of several processes."""
        for name in templates:
            self._environment.get_template(name)

    def rendered(self, page: Page) -> Rendered:
        """A page as HTML, with a stand-in for its mark (``urls.MARK``).

        The template sees ``page`` (a context of ``views``), ``frame``, ``words``, and ``asset(NAME)``: an address.
        """
        view = page.view
        frame = view.frame

        def asset(name: str) -> str:
            return frame.assets + self._assets[name]

        template = self._environment.get_template(page.template)
        html = template.render(page=view, frame=frame, words=words_in(frame.lang), asset=asset, mark=urls.MARK)
        return Rendered(page.path, html, frame.public)
