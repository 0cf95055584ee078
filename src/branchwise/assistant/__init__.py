"""The room of assistants: branchwise as tools, over the Model Context Protocol."""
