"""Files of other tools to the nodes that a document of the same problem has."""
