"""Names that the PRISM language takes, made from names that people take."""

import re
import unicodedata
from typing import Final

_LONGEST: Final = 40


class PrismNames:
    """
    Identifiers, no two alike.

    Each begins with a word of ours (``did_``, ``left_``), so that none is a keyword,
    whatever the problem calls things.

    >>> names = PrismNames()
    >>> names.fresh("did", "log in"), names.fresh("did", "log-in")
    ('did_log_in', 'did_log_in_2')
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def fresh(self, *words: str) -> str:
        """Return an identifier made of these words that nothing else has."""
        name = "_".join(plain_word(word) for word in words)
        unique = name
        while unique in self._numbers:
            self._numbers[name] += 1
            unique = f"{name}_{self._numbers[name]}"
        self._numbers[unique] = 1
        return unique


def plain_word(text: str) -> str:
    """
    Write a name with the letters, digits and underscores of ASCII.

    >>> plain_word("Größe (m²)"), plain_word("東京")
    ('Gro_e_m2', 'other')
    """
    letters = unicodedata.normalize("NFKD", text)
    without_marks = "".join(c for c in letters if not unicodedata.combining(c))
    word = re.sub(r"[^A-Za-z0-9]+", "_", without_marks).strip("_")
    return word[:_LONGEST].rstrip("_") or "other"
