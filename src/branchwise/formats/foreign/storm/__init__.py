"""Models for PRISM and Storm to nodes of a document, through Storm's own parser."""
