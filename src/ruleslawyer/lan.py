"""Under which addresses this machine is reached from the same network. Nothing is sent to find that out."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import NamedTuple

import ifaddr

from ruleslawyer.errors import DataProblem

LOOPBACK = "127.0.0.1"
LOOPBACK_HOSTS = frozenset({"localhost", LOOPBACK, "::1"})

_NOT_LOCAL = re.compile(
    r"""
      (docker|podman|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel)   # machines inside this machine
    | (tun|tap|wg|utun|ppp|ipsec|tailscale|zt)                           # private networks to somewhere else
    | .*(VirtualBox|VMware|vEthernet|Hyper-V|TAP-|WireGuard|Tailscale|ZeroTier|OpenVPN)
    """,
    re.VERBOSE,
)
"""Names of interfaces at whose other end there is no table with players."""

_ANYWHERE = ("198.51.100.1", 9)
"""An address that belongs to nobody; asked for is only by which way a packet to it would leave."""

Interface = IPv4Interface | IPv6Interface


class Card(NamedTuple):
    """A network interface: its name, and its addresses with their networks."""

    name: str
    interfaces: tuple[Interface, ...]


def cards() -> list[Card]:
    """The network interfaces of this machine that are in use."""
    found = []
    for adapter in ifaddr.get_adapters():
        texts = [(ip.ip if isinstance(ip.ip, str) else ip.ip[0], ip.network_prefix) for ip in adapter.ips]
        found.append(Card(adapter.nice_name, tuple(ip_interface(f"{text}/{prefix}") for text, prefix in texts)))
    return found


def leaving_address() -> str:
    """The own address from which a packet to the world outside would leave; empty where none would."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ANYWHERE)  # of a datagram socket: chooses the way, sends nothing
        return str(probe.getsockname()[0])
    return ""


def local_interfaces(found: Iterable[Card], first: str) -> list[Interface]:
    """The addresses that others in the same network can reach, likeliest first: all of IPv4, one IPv6 address per card.

    Args:
        found: as from ``cards``.
        first: the address that comes first where it is among them.

    Raises:
        DataProblem: there is none.

    >>> home = Card("wlan0", (ip_interface("192.168.1.20/24"), ip_interface("fe80::1/64"), ip_interface("fd00::2/64")))
    >>> inner = Card("docker0", (ip_interface("172.17.0.1/16"),))
    >>> [str(one) for one in local_interfaces([inner, home], "")]
    ['192.168.1.20/24', 'fd00::2/64']
    """
    kept: dict[Interface, None] = {}  # an address may be told of twice
    for card in found:
        if not _NOT_LOCAL.match(card.name):
            usable = [one for one in card.interfaces if _is_usable(one)]
            newer = [one for one in usable if one.version == 6]
            kept |= dict.fromkeys(one for one in usable if one not in newer[1:])
    if not kept:
        hint = "join a Wi-Fi, plug in a cable or open a hotspot; without --lan the site is served to this machine"
        raise DataProblem("this machine is in no local network", hint)
    return sorted(kept, key=lambda one: (str(one.ip) != first, one.version, one.ip.is_link_local))


def _is_usable(one: Interface) -> bool:
    """Not an address that only this machine knows, nor one that needs the name of an interface beside it."""
    address = one.ip
    bound_to_card = address.version == 6 and address.is_link_local
    return not (address.is_loopback or address.is_unspecified or address.is_multicast or bound_to_card)


def admitting(own: Sequence[Interface]) -> Callable[[str], bool]:
    """Whether a client is near: on this machine, in one of its networks, or with an address that no public host has.

    So a machine with a public address does not serve the whole internet.

    >>> admits = admitting([ip_interface("203.0.112.7/24")])
    >>> [admits(client) for client in ("127.0.0.1", "203.0.112.99", "192.168.7.7", "8.8.8.8")]
    [True, True, True, False]
    """
    networks = [one.network for one in own]

    def admits(client: str) -> bool:
        address = _address(client)
        return address.is_private or address.is_link_local or any(address in network for network in networks)

    return admits


def _address(text: str) -> IPv4Address | IPv6Address:
    return ip_address(text.partition("%")[0])


def host_names(own: Iterable[Interface]) -> frozenset[str]:
    """What a browser in the network may call this machine: its addresses, its name, and that with ``.local``."""
    name = socket.gethostname().lower()
    return LOOPBACK_HOSTS | {str(one.ip) for one in own} | {name, f"{name}.local"}


def web_address(host: str, port: int, path: str = "") -> str:
    """The address to open.

    >>> web_address("fd00::2", 8000), web_address("127.0.0.1", 80, "en/")
    ('http://[fd00::2]:8000/', 'http://127.0.0.1:80/en/')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{path}"
