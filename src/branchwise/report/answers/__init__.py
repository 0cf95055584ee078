"""One file for each kind of answer: as text, as data and as a page."""
