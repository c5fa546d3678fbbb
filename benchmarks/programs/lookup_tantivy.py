"""A look-up as one would write it in an afternoon: click and Tantivy. ``DATABASE`` names the folder."""

import os

import click
import tantivy

FIELDS = ["title", "asks", "text"]


@click.command()
@click.argument("words", nargs=-1)
def main(words: tuple[str, ...]) -> None:
    """Print the first entry whole and the next seven in a line each."""
    index = tantivy.Index.open(os.environ["DATABASE"])
    searcher = index.searcher()
    query = index.parse_query(" ".join(words), FIELDS, field_boosts={"title": 2.0, "asks": 0.5})
    found = [searcher.doc(address) for _, address in searcher.search(query, 30).hits]
    entries = {hit.get_first("name"): (hit.get_first("title"), hit.get_first("text")) for hit in reversed(found)}
    (first, (title, text)), *others = reversed(entries.items())
    click.echo(f"{title}\n{first}\n\n{text}\n\nMore results")
    for name, (title, _) in others[:7]:
        click.echo(f"  {title}  {name}")


if __name__ == "__main__":
    main()
