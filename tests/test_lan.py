"""Addresses in the own network, and QR codes that a camera reads from any terminal."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from corpora import write_corpus
from ruleslawyer.errors import DataProblem
from ruleslawyer.lan import Card, admitting, cards, host_names, leaving_address, local_interfaces, web_address
from ruleslawyer.qr import QUIET, fits, painted, qr_lines
from screens import GREYS, decoded_in_time, needed, screen, terminal
from servers import command

WIFI = ("192.168.1.20/24", "fe80::1/64", "2001:db8::20/64", "2001:db8::21/64")


def card(name: str, *addresses: str) -> Card:
    """A network interface."""
    return Card(name, tuple(ip_interface(address) for address in addresses))


def found(*given: Card, first: str = "") -> list[str]:
    """The addresses that are served."""
    return [str(one.ip) for one in local_interfaces(given, first)]


# --- addresses --------------------------------------------------------------------------------------------------------


def test_addresses_of_the_network_are_found_and_no_others() -> None:
    assert found(card("lo", "127.0.0.1/8", "::1/128"), card("wlan0", *WIFI)) == ["192.168.1.20", "2001:db8::20"]


@pytest.mark.parametrize(
    "name",
    [
        *("docker0", "br-5c1f7a", "veth12ab", "virbr0", "vmnet8", "vboxnet0", "tun0", "wg0", "utun4", "tailscale0"),
        *("ztabcdef", "vEthernet (WSL)", "VirtualBox Host-Only Ethernet Adapter", "TAP-Windows Adapter V9"),
    ],
)
def test_nothing_is_served_to_virtual_machines_and_private_tunnels(name: str) -> None:
    assert found(card(name, "10.8.0.2/24"), card("wlan0", "192.168.1.20/24")) == ["192.168.1.20"]


@pytest.mark.parametrize("name", ["br0", "bridge100", "wlp2s0", "en0", "ap0", "Intel(R) Wi-Fi 6 AX201"])
def test_hotspots_bridges_and_cables_are_networks(name: str) -> None:
    assert found(card(name, "10.42.0.1/24")) == ["10.42.0.1"]


def test_the_address_by_which_the_machine_goes_out_comes_first() -> None:
    two = (card("eth0", "192.168.1.20/24", "fd00::20/64"), card("wlan0", "169.254.7.7/16", "10.0.0.7/8"))
    assert found(*two, first="10.0.0.7") == ["10.0.0.7", "192.168.1.20", "169.254.7.7", "fd00::20"]


def test_an_address_that_is_told_of_twice_is_served_once() -> None:
    assert found(card("eth0", "10.0.0.7/8"), card("eth0:1", "10.0.0.7/8")) == ["10.0.0.7"]


@pytest.mark.parametrize("given", [(), (card("lo", "127.0.0.1/8"),), (card("wlan0", "fe80::1/64"),)])
def test_without_a_network_it_is_said_what_to_do(given: tuple[Card, ...]) -> None:
    with pytest.raises(DataProblem, match="no local network") as problem:
        found(*given)
    assert "Wi-Fi" in problem.value.hint


def test_the_addresses_of_this_machine_are_real() -> None:
    listed = [one.ip for found_card in cards() for one in found_card.interfaces]
    assert ip_address("127.0.0.1") in listed
    assert leaving_address() == "" or ip_address(leaving_address()) in listed


def test_only_who_is_near_is_admitted() -> None:
    admits = admitting([ip_interface("203.0.112.7/24"), ip_interface("2a00:1:2:3::7/64")])
    near = ["127.0.0.1", "::1", "203.0.112.200", "2a00:1:2:3::99", "192.168.0.9", "10.1.1.1", "fe80::9%eth0", "fd00::9"]
    assert [client for client in near if not admits(client)] == []
    assert [client for client in ("203.0.111.200", "8.8.8.8", "2a00:1:2:4::99") if admits(client)] == []


def test_the_machine_may_be_called_by_its_addresses_and_its_name() -> None:
    names = host_names([ip_interface("192.168.1.20/24"), ip_interface("fd00::2/64")])
    own = socket.gethostname().lower()
    assert names == {"localhost", "127.0.0.1", "::1", "192.168.1.20", "fd00::2", own, f"{own}.local"}


# --- the code ---------------------------------------------------------------------------------------------------------


def dots(lines: list[str]) -> list[list[bool]]:
    """The squares of a code, true where they are black."""
    upper, lower = {"▀", "█"}, {"▄", "█"}
    return [[char in half for char in line] for line in lines for half in (upper, lower)]


def test_the_code_has_three_corners_and_a_quiet_zone() -> None:
    squares = dots(qr_lines("http://192.168.100.100:8000/"))
    ring = [[True] * 7, [True, *[False] * 5, True], *[[True, False, True, True, True, False, True]] * 3]
    corner = [*ring, ring[1], ring[0]]
    assert [row[QUIET : QUIET + 7] for row in squares[QUIET : QUIET + 7]] == corner
    assert [row[-QUIET - 7 : -QUIET] for row in squares[QUIET : QUIET + 7]] == corner
    assert not any(any(row) for row in squares[:QUIET])
    assert not any(any(row) for row in squares[-QUIET:])
    assert not any(any(row[:QUIET]) or any(row[-QUIET:]) for row in squares)


def test_its_colours_are_said_on_each_line_and_end_with_it() -> None:
    for line in painted(qr_lines(web_address("192.168.1.20", 8000))):
        assert line.startswith("\x1b[38;5;16;48;5;231m")
        assert line.endswith("\x1b[0m")


def test_a_terminal_must_have_room_for_all_of_it() -> None:
    lines = qr_lines("http://192.168.1.20:8000/")
    columns, rows = len(lines[0]), len(lines)
    assert fits(lines, columns, rows + 1, "utf-8")
    assert not fits(lines, columns - 1, rows + 1, "utf-8")
    assert not fits(lines, columns, rows, "utf-8")
    assert not fits(lines, 200, 200, "latin-1")


# --- on a terminal ----------------------------------------------------------------------------------------------------

THEMES = {"dark": ("#e0e0e0", "#101010"), "light": ("#222222", "#ffffff"), "solarized": ("#657b83", "#fdf6e3")}
"""Ink and paper."""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen for all pictures."""
    needed()
    with screen() as name:
        yield name


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny corpus."""
    return write_corpus(tmp_path_factory.mktemp("served") / "corpus")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("palette", [{}, GREYS], ids=["usual", "greys"])
def test_a_camera_reads_the_code_from_the_terminal_and_the_address_answers(
    display: str, corpus: Path, tmp_path: Path, theme: str, palette: Mapping[str, str]
) -> None:
    serve = command(corpus, "--lan", near="127.0.0.2/8")
    env = {"NO_COLOR": "1"} if palette else {}
    with terminal(display, serve, THEMES[theme], palette, env):
        address = decoded_in_time(display, tmp_path / "picture.png")
        assert urlsplit(address).hostname == "127.0.0.2"
        with urllib.request.urlopen(address) as answer:
            assert b"Rules Lawyer" in answer.read()
