"""Names that try to be more than names: markup, controls, other scripts."""

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
]
