"""Drawings of decision trees: layout, SVG, Graphviz and Mermaid."""
