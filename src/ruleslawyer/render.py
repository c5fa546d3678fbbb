"""Page contexts -> HTML: the one place for jinja2. Whatever is not ``Html`` is escaped; a missing value is an error."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ruleslawyer.pages import Page
from ruleslawyer.words import words_in


class Renderer:
    """Renders pages with the templates of a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def html(self, page: Page) -> str:
        """A page as HTML. The template sees ``page`` (a context of ``views``), ``frame`` and ``words``."""
        frame = page.view.frame
        template = self._environment.get_template(page.template)
        return template.render(page=page.view, frame=frame, words=words_in(frame.lang))
