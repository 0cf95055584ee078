"""What PyYAML cannot parse, said in our words: where, what and an edit."""

import re
from dataclasses import dataclass

import yaml

from branchwise.errors import Issue
from branchwise.formats.place import Place, issue_at
from branchwise.formats.source_text import excerpt, line_at, position_at

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|' r"'(?:[^']|'')*'")
_LONGEST_LINE = 10_000  # Past this no hint would help.
_GLUED_KEY = re.compile(r"\s*(?:- )?([^\s:\"'{}\[\],]+):(?=[^\s:/])(.*)")


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Where the parser gave up: the text there and what the parser made of it."""

    text: str
    index: int  # of the character that does not fit
    start: int  # of what was being read then
    doing: str
    problem: str

    @property
    def line(self) -> str:
        return line_at(self.text, self.index)

    @property
    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.index) + 1

    @property
    def character(self) -> str:
        return self.text[self.index : self.index + 1]

    @property
    def is_at_end(self) -> bool:
        return not self.text[self.index :].strip()


@dataclass(frozen=True, slots=True)
class _Advice:
    what: str
    fix: str
    index: int


def syntax_issue(error: Exception, text: str, source: str) -> Issue:
    """Return what is wrong with YAML that does not parse."""
    trouble = _trouble(error, text)
    advice = next(found for ask in _QUESTIONS if (found := ask(trouble)))
    line = line_at(text, advice.index)
    what = f"{advice.what}: {excerpt(line)}" if line.strip() else advice.what
    place = Place(source, *position_at(text, advice.index))
    return issue_at(place, (), what, advice.fix)


def _trouble(error: Exception, text: str) -> _Trouble:
    if not isinstance(error, yaml.MarkedYAMLError):
        index = getattr(error, "position", 0)
        reason = str(getattr(error, "reason", error))
        return _Trouble(text, index, index, "", reason)
    mark = error.problem_mark or error.context_mark
    index = min(mark.index, len(text)) if mark else 0
    start = error.context_mark.index if error.context_mark else index
    return _Trouble(text, index, start, error.context or "", error.problem or "")


def _text_after_quotes(trouble: _Trouble) -> _Advice | None:
    """Recognize ``requires: "my action"=ok``, where YAML ends the value too soon."""
    before = trouble.text[trouble.line_start : trouble.index].rstrip()
    if "expected" not in trouble.problem or not before.endswith(('"', "'")):
        return None
    opened = next((m for m in _QUOTED.finditer(before) if m.end() == len(before)), None)
    if opened is None or not trouble.character.strip():
        return None
    is_flow = "flow" in trouble.doing
    rest = _value_text(trouble.line[opened.start() :], is_flow=is_flow)
    if trouble.character.isalnum() and rest.endswith("'"):
        rest = rest[1:-1]  # An apostrophe, as in 'it's'.
    fix = _quoting(rest)
    index = trouble.line_start + opened.start()
    return _Advice("there is text after the closing quote", fix, index)


def _quoting(value: str) -> str:
    """Return how to quote a value that has quotes inside."""
    if "'" in value and not {'"', "\\"} & set(value):
        return f'put the whole value in double quotes: `"{value}"`'
    doubled = value.replace("'", "''")
    return f"put the whole value in single quotes: `'{doubled}'`"


def _value_text(rest: str, *, is_flow: bool) -> str:
    """Cut a line's rest where its value ends: at a comment, a comma or a bracket."""
    stop = re.compile(r"\s#|[,}\]]" if is_flow else r"\s#")
    place = 0
    while place < len(rest):
        quoted = _QUOTED.match(rest, place)
        if quoted:
            place = quoted.end()
        elif stop.match(rest, place):
            break
        else:
            place += 1
    return rest[:place].rstrip()


def _tab(trouble: _Trouble) -> _Advice | None:
    indent = trouble.line[: len(trouble.line) - len(trouble.line.lstrip())]
    if "\t" not in indent:
        return None
    index = trouble.line_start + indent.index("\t")
    return _Advice("a tab indents this line", "indent with spaces", index)


def _unclosed_quote(trouble: _Trouble) -> _Advice | None:
    if "quoted scalar" not in trouble.doing or "unexpected" not in trouble.problem:
        return None
    quote = trouble.text[trouble.start : trouble.start + 1]
    fix = f"close it with `{quote}`"
    return _Advice("a quote is opened and never closed", fix, trouble.start)


def _escape(trouble: _Trouble) -> _Advice | None:
    if not any(word in trouble.problem for word in ("escape", "hexa", "chr()")):
        return None
    what = "a backslash in double quotes starts something unknown"
    fix = r"write `\\` for a backslash, or use single quotes"
    return _Advice(what, fix, trouble.index)


def _glued_key(trouble: _Trouble) -> _Advice | None:
    """Recognize ``budget:6``, which YAML takes for one long word."""
    last = trouble.text.rfind("\n", 0, max(trouble.line_start - 1, 0)) + 1
    for start in (last, trouble.line_start):
        line = line_at(trouble.text, start)
        found = _GLUED_KEY.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if found:
            fix = f"write `{found[1]}: {found[2].strip()}`"
            index = start + found.start(2) - 1
            return _Advice("a space is missing after the colon", fix, index)
    return None


def _colon(trouble: _Trouble) -> _Advice | None:
    if "mapping values are not allowed" not in trouble.problem:
        return None
    if trouble.line.count(":") > 1:
        fix = "put the value in quotes, or the second key on a line of its own"
        return _Advice("a second `: ` is out of place", fix, trouble.index)
    what = "this line is indented deeper than the value above allows"
    fix = "line it up with the keys above, or end the line above with a colon"
    return _Advice(what, fix, trouble.index)


def _bare_interval(trouble: _Trouble) -> _Advice | None:
    """Recognize ``{ok: 0.6 [0.5, 0.7]}``, where YAML takes the bracket for a list."""
    if "flow mapping" not in trouble.doing or trouble.character != "[":
        return None
    before = trouble.text[trouble.line_start : trouble.index]
    number = re.search(r"[^\s,{:]+\s*$", before)
    interval = re.match(r"\[[^\[\]\n]*,[^\[\]\n]*\]", trouble.text[trouble.index :])
    if number is None or interval is None:
        return None
    value = f"{number[0].strip()} {interval[0]}"
    fix = f'put it in quotes inside braces: `"{value}"`'
    index = trouble.line_start + number.start()
    return _Advice("an interval needs quotes here", fix, index)


def _unclosed_bracket(trouble: _Trouble) -> _Advice | None:
    if "flow" not in trouble.doing:
        return None
    opening = _opening(trouble)
    closing = {"[": "]", "{": "}"}.get(trouble.text[opening : opening + 1], "]")
    if not trouble.is_at_end and trouble.character == ",":
        fix = "remove the comma, or write what belongs before it"
        return _Advice("there is nothing before this comma", fix, trouble.index)
    if trouble.is_at_end or "\n" in trouble.text[opening : trouble.index]:
        what = "a bracket is opened and never closed"
        return _Advice(what, f"close it with `{closing}`", opening)
    what = f"{excerpt(trouble.text[trouble.index : trouble.index + 20])} does not fit"
    fix = f"separate entries with `, ` and end with `{closing}`"
    return _Advice(f"{what} inside brackets", fix, trouble.index)


def _opening(trouble: _Trouble) -> int:
    """Find the bracket that is open where the parser gave up."""
    if trouble.text[trouble.start : trouble.start + 1] in {"[", "{"}:
        return trouble.start
    before = trouble.text[: trouble.index]
    return max(before.rfind("["), before.rfind("{"), 0)


def _special_start(trouble: _Trouble) -> _Advice | None:
    names = {"*": "an alias", "&": "an anchor", "!": "a tag", "|": "a block of text"}
    special = trouble.text[trouble.start : trouble.start + 1]
    is_scanning = any(w in trouble.doing for w in ("alias", "anchor", "tag", "block s"))
    if "cannot start" in trouble.problem:
        mark = trouble.character
        what = f"{'a backtick' if mark == '`' else f'`{mark}`'} cannot start a value"
    elif "tag handle" in trouble.problem or (is_scanning and special in "*&!|>"):
        what = f"`{special}` starts {names.get(special, 'a block of text')} in YAML"
    else:
        return None
    return _Advice(what, "put the value in quotes", trouble.start)


def _stray_bracket(trouble: _Trouble) -> _Advice | None:
    if trouble.character not in {"]", "}"}:
        return None
    what = f"`{trouble.character}` closes a bracket that was never opened"
    return _Advice(what, "remove it, or put the value in quotes", trouble.index)


def _missing_colon(trouble: _Trouble) -> _Advice | None:
    if "find expected ':'" not in trouble.problem:
        return None
    word = excerpt(line_at(trouble.text, trouble.start)).strip("`")
    fix = f"write `{word}: ...`, or indent it as part of the line above"
    return _Advice("a key without a colon", fix, trouble.start)


def _dash(trouble: _Trouble) -> _Advice | None:
    if "entries are not allowed" in trouble.problem:
        fix = "start the list on the next line, or write `[...]`"
        return _Advice("a list cannot start here", fix, trouble.index)
    if trouble.character == "-":
        fix = "indent the list under its key"
        return _Advice("a list item stands among keys", fix, trouble.index)
    if "block collection" in trouble.doing:
        fix = "start the line with `- `, or indent it under the key it belongs to"
        return _Advice("a key stands among list items", fix, trouble.index)
    return None


def _directive(trouble: _Trouble) -> _Advice | None:
    if not trouble.line.startswith("%"):
        return None
    fix = "remove the line, or write `%YAML 1.2` followed by `---`"
    return _Advice("this directive is not understood", fix, trouble.line_start)


def _indentation(trouble: _Trouble) -> _Advice | None:
    words = ("expected key", "<block end>", "document start")
    if not any(word in trouble.problem for word in words):
        return None
    what = "this line is not lined up with the keys above"
    return _Advice(what, "give it the same indentation as its neighbors", trouble.index)


def _anything(trouble: _Trouble) -> _Advice:
    what = f"this is not YAML ({trouble.problem})"
    return _Advice(what, "put text with special characters in quotes", trouble.index)


# The first that recognizes the trouble answers, so the specific come first.
_QUESTIONS = (
    _text_after_quotes,
    _directive,
    _tab,
    _unclosed_quote,
    _escape,
    _glued_key,
    _colon,
    _special_start,
    _stray_bracket,
    _bare_interval,
    _unclosed_bracket,
    _missing_colon,
    _dash,
    _indentation,
    _anything,
)
