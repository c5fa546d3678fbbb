"""Where a person's own data lies: where platformdirs says."""

from __future__ import annotations

import platformdirs
import pytest

from ruleslawyer.places import cache_folder, packs_folder


@pytest.mark.parametrize("value", [None, "", "  ", "/somewhere/else", "relative", "/with space/ü"])
def test_folders_are_those_of_platformdirs(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert cache_folder() == platformdirs.user_cache_path("ruleslawyer", appauthor=False) / "index"
    assert packs_folder() == platformdirs.user_data_path("ruleslawyer", appauthor=False) / "packs"


def test_a_home_that_is_elsewhere_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/another/home")
    assert cache_folder() == platformdirs.user_cache_path("ruleslawyer", appauthor=False) / "index"
    assert packs_folder() == platformdirs.user_data_path("ruleslawyer", appauthor=False) / "packs"
