"""An open table of a web page: cells gathered to rows, those that reach over several rows repeated in each."""

from __future__ import annotations

from collections.abc import Sequence

from ruleslawyer.styledtext import Run

_MOST_ROWS, _LONGEST = 50, 200
"""Over how many rows a cell is repeated, and how many characters one may have for it."""

Row = list[Sequence[Run]]


class Table:
    """Takes the text of cells as they end and gives rows. ``layout``: its cells are no cells, the table only arranges them."""

    def __init__(self, layout: bool) -> None:
        self.layout = layout
        self.in_cell = False
        self._row: Row = []
        self._span = 1
        self._carried: dict[int, tuple[Sequence[Run], int]] = {}

    def begin_row(self, text: Sequence[Run] = ()) -> Row:
        """A row begins: the one before, closed or not; ``text`` is that of a cell still open."""
        return self.end(text)

    def begin_cell(self, text: Sequence[Run], rowspan: str) -> None:
        """A cell begins; ``text`` is that of one still open."""
        self.end_cell(text)
        self._repeat()
        self.in_cell = True
        self._span = int(rowspan) if rowspan.isdecimal() and len(rowspan) < 4 else 1

    def end_cell(self, text: Sequence[Run]) -> None:
        """The open cell ends with this text."""
        if not self.in_cell:
            return
        self.in_cell = False
        if self._span > 1 and sum(len(run.text) for run in text) <= _LONGEST:
            self._carried[len(self._row)] = (text, min(self._span, _MOST_ROWS))
        self._row.append(text)

    def end(self, text: Sequence[Run] = ()) -> Row:
        """The row ends; its cells."""
        self.end_cell(text)
        if not self._row:
            return []
        self._repeat()
        row, self._row = self._row, []
        left = {column: (cell, rows - 1) for column, (cell, rows) in self._carried.items()}
        self._carried = {column: kept for column, kept in left.items() if kept[1] > 0}
        return row

    def _repeat(self) -> None:
        """Put in the cells that reach down from the rows above."""
        while (kept := self._carried.get(len(self._row))) is not None:
            self._row.append(kept[0])
