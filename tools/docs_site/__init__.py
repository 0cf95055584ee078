"""The site of the documentation: what it is made of, and what is checked of it."""
