"""What surrounds a page of the website, and how a text is chosen for a reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ruleslawyer import urls
from ruleslawyer.languages import LANGUAGES
from ruleslawyer.model import Localised
from ruleslawyer.views import Choice, Frame, Link, Phrase, Public
from ruleslawyer.words import Words, words_in

T = TypeVar("T")

_TAGS = {"zh": "zh-Hans"}
_NAMES = {"it": "Italiano", "fr": "Français", "de": "Deutsch", "zh-Hant": "繁體中文"}


def pick(texts: Mapping[str, T], lang: str) -> T:
    """What a reader of ``lang`` is shown: his language, or English, or the first there is.

    >>> pick({"en": "Docks", "es": "Muelles"}, "zh")
    'Docks'
    """
    return texts[lang] if lang in texts else texts["en"] if "en" in texts else next(iter(texts.values()))


def phrase(texts: Localised, lang: str) -> Phrase:
    """The text a reader of ``lang`` is shown, marked where it is in another language.

    >>> phrase({"en": "Docks"}, "es"), phrase({"en": "Docks"}, "en")
    (Phrase(text='Docks', lang='en'), Phrase(text='Docks', lang=''))
    """
    shown = pick({code: code for code in texts}, lang)
    return Phrase(texts[shown], "" if shown == lang else tag_of(shown))


def tag_of(lang: str) -> str:
    """The language tag of a language code, by which browsers choose fonts and voices: ``zh`` is ``zh-Hans``."""
    return _TAGS.get(lang, lang)


def language_label(lang: str) -> str:
    """A language's name for itself, or its code where we know none."""
    return LANGUAGES[lang].name if lang in LANGUAGES else _NAMES.get(lang, lang)


def language_name(lang: str, words: Words) -> str:
    """What a reader calls a language: ``inglés`` for a Spanish one; its own name where the interface has no word."""
    key = f"language.{lang}"
    return words(key) if key in words.texts else language_label(lang)


class Framing:
    """Makes the frames of the pages in one interface language."""

    def __init__(
        self, words: Words, languages: Sequence[str], base_url: str, assets: Mapping[str, str] | None = None
    ) -> None:
        """``assets``: the site paths of what pages share, by name."""
        self.words = words
        self.languages = tuple(languages)
        self.assets = assets or {}
        self._base_url = base_url

    def frame(
        self,
        path: str,
        title: str,
        description: str,
        *,
        crumbs: tuple[Link, ...] = (),
        tabs: tuple[Choice, ...] = (),
        game: str = "",
        private: bool = False,
        listed: bool = True,
    ) -> Frame:
        """The frame of the page at a site path; ``listed`` is false for pages that search engines need not know."""
        lang = self.words.lang
        return Frame(
            lang=lang,
            tag=tag_of(lang),
            title=title,
            description=description,
            path=path,
            root=self._address("", path) + "/",
            assets=self._address(urls.ASSETS, path) + "/",
            home=self._address(urls.home(lang), path),
            search=self._address(urls.search(lang), path),
            entries=self._address(urls.entries(lang), path),
            manifest=self._address(urls.manifest(lang), path),
            languages=self._languages(path),
            crumbs=crumbs,
            tabs=tabs,
            game=game,
            private=private,
            public=self._public(path) if self._base_url and listed else None,
        )

    def homes(self, path: str) -> tuple[Choice, ...]:
        """The home page in each language."""
        return tuple(
            Choice(self._address(urls.home(lang), path), language_label(lang), tag_of(lang)) for lang in self.languages
        )

    def _languages(self, path: str) -> tuple[Choice, ...]:
        """This page in each language; the homes where it has none."""
        own = path.startswith(f"{self.words.lang}/") and not path.endswith("/404.html")
        pages = {lang: urls.in_language(path, lang) if own else urls.home(lang) for lang in self.languages}
        return tuple(
            Choice(
                href=self._address(page, path),
                label=language_label(lang),
                tag=tag_of(lang),
                current=lang == self.words.lang,
                short=words_in(lang)("site.short"),
            )
            for lang, page in pages.items()
        )

    def _address(self, target: str, path: str) -> str:
        """Relative to the page; on the page that a host shows at any depth, from the site's root on that host."""
        if path == urls.missing(""):
            return urls.rooted(self._base_url, target)
        return urls.relative(target, path)

    def _public(self, path: str) -> Public:
        in_language = path != "index.html"
        alternates = tuple(
            (
                tag_of(lang),
                urls.absolute(self._base_url, urls.in_language(path, lang) if in_language else urls.home(lang)),
            )
            for lang in self.languages
        )
        default = urls.in_language(path, "en") if in_language and path != urls.home("en") else "index.html"
        return Public(
            canonical=urls.absolute(self._base_url, path),
            alternates=alternates,
            default=urls.absolute(self._base_url, default),
            image=urls.absolute(self._base_url, self.assets["preview.png"]),
        )
