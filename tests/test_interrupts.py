"""Ctrl-C in moments that must not be cut in two."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import pytest

from processes import in_a_child
from ruleslawyer.interrupts import held_back
from ruleslawyer.stems import simplified_characters

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system cannot hold signals back")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_what_is_begun_is_done_before_it_is_interrupted(sign: signal.Signals) -> None:
    before = signal.signal(sign, signal.default_int_handler)
    done = []
    try:
        with pytest.raises(KeyboardInterrupt), held_back():
            os.kill(os.getpid(), sign)
            done.append("whole")
    finally:
        signal.signal(sign, before)
    assert done == ["whole"] and sign not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_within_another_block_it_is_held_back_until_the_end_of_that() -> None:
    with held_back():
        with held_back() as before:
            assert signal.SIGINT in before
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_the_character_table_is_loaded_without_interruption() -> None:
    """Cut short, its compiled part says that it cannot be imported: Ctrl-C was told as a library that is missing."""

    def work() -> None:
        held = []

        def hook(event: str, args: tuple[Any, ...]) -> None:
            if event == "import" and "opencc_clib" in str(args[0]):
                held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

        for name in [name for name in sys.modules if name.startswith("opencc")]:
            del sys.modules[name]
        simplified_characters.cache_clear()
        sys.addaudithook(hook)
        assert simplified_characters()["棄"] == "弃"
        assert held and all(held)

    assert in_a_child(work) == 0
