"""The text of a document: what stands where in it, and how it is changed."""
