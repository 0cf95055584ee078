"""
Pictures and words: every answer as text, data, tables, pages and drawings.

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from branchwise._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__)
