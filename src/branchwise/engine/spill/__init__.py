"""Problems whose states do not fit into memory: they are kept in files of a folder."""
