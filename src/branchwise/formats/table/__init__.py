"""Tables, CSV and xlsx: grids of cells to the nodes of a document, and back."""
