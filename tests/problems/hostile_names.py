"""Names that try to be more than names: markup, controls, other scripts."""

import unicodedata

HOSTILE = [
    "<script>alert(1)</script>",
    "\"double\" and 'single'",
    "]]>",
    "<![CDATA[",
    "&amp; & &#0;",
    "\u202ereversed\u202c",
    "פעולה ראשונה",
    "🧑\u200d🚀 🚀",
    "x" * 500,
    "bell\x07 null\x00 line\nbreak",
    "\ufffe\uffff",
    "  ",
    "back\\slash\\n \\N \\",
    "end",
    "1. first",
    "`code` **bold** _it_ $$x$$",
    "#quot; #35; a;b#c",
    'x"]; click n0 href "javascript:alert(1)"',
    "A --> B -.-> C",
    '%%{init: {"theme": "dark"}}%%',
]

# Problems refuse the others: there is something in them that cannot be seen.
SEEN = [
    name
    for name in HOSTILE
    if name.strip()
    and not any(unicodedata.category(c) in {"Cc", "Cn"} or c == "\u202e" for c in name)
]
