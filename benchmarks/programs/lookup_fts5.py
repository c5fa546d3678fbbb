"""A look-up as one would write it in an afternoon: click and SQLite's FTS5. ``DATABASE`` names the file."""

import os
import sqlite3

import click

QUERY = "select name, title, text from t where t match ? order by bm25(t, 0, 0, 0, 2.0, 0.5, 1.0) limit 30"


@click.command()
@click.argument("words", nargs=-1)
def main(words: tuple[str, ...]) -> None:
    """Print the first entry whole and the next seven in a line each."""
    match = " OR ".join(f'"{word}"' for word in words)
    database = sqlite3.connect(os.environ["DATABASE"])
    entries = {name: (title, text) for name, title, text in reversed(database.execute(QUERY, (match,)).fetchall())}
    (first, (title, text)), *others = reversed(entries.items())
    click.echo(f"{title}\n{first}\n\n{text}\n\nMore results")
    for name, (title, _) in others[:7]:
        click.echo(f"  {title}  {name}")


if __name__ == "__main__":
    main()
