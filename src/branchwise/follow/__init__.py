"""Following a plan while it is carried out, surprises included."""
