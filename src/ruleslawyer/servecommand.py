"""The command ``serve``. What it does is in ``hosting``, which is imported when it is asked for."""

from __future__ import annotations

import click

from ruleslawyer.shell import CONTEXT


@click.command("serve", context_settings=CONTEXT)
@click.option("--lan", is_flag=True, help="Also for the phones in your network: shows the address and a QR code.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=None, help="Serve on this port.  [default: 8000 or the next free]"
)
@click.option("--watch", is_flag=True, help="Show changed rules by themselves.")
@click.option("--private", is_flag=True, help="Also your own packs, which are left out otherwise.")
@click.option("--open", "open_page", is_flag=True, help="Open it in the browser.")
def serve_command(lan: bool, port: int | None, watch: bool, private: bool, open_page: bool) -> None:
    """Serve the website to this machine, or with --lan to all at the table. Ctrl-C stops it.

    The website is made in memory; nothing is written. Without --lan nobody else can reach it.
    """
    from ruleslawyer.hosting import host

    host(lan=lan, port=port, watch=watch, private=private, open_page=open_page)
