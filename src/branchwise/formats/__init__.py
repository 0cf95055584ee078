"""Files to problems and back: the only room that knows lines, cells and shorthands."""
