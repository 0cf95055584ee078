"""The tree of a plan as a widget: the page itself, alive inside a notebook."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from branchwise.model.arguments import a_kind
from branchwise.report.answer import answer_to
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from anywidget import AnyWidget

# The page has its own script and style, and a policy that allows nothing else; in a
# frame they meet nothing of the notebook.
_SCRIPT: Final = """
function render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.title = "branchwise";
    frame.style.cssText = "width: 100%; border: 0;";
    const show = () => {
        frame.style.height = `${model.get("height")}px`;
        frame.srcdoc = model.get("page");
    };
    model.on("change:page", show);
    model.on("change:height", show);
    show();
    el.appendChild(frame);
}
export default { render };
"""


def tree_widget(solution: Solution, *, height: int = 720) -> AnyWidget:
    """
    Return a solution as a widget: its page, with the tree to look into and to walk.

    Parameters
    ----------
    solution
        What `solve` has found. To show another one in the same place, set the widget's
        ``page`` to `branchwise.report.html` of it.
    height
        How high it is, in pixels.

    Raises
    ------
    ImportError
        anywidget is not installed.
    """
    a_kind("the solution", solution, Solution, "give what `solve` has found")
    widget: AnyWidget = _widget_class()(page=answer_to(solution).html(), height=height)
    return widget


@cache
def _widget_class() -> Any:
    try:
        import anywidget  # noqa: PLC0415  # optional, and slow to load
        import traitlets  # noqa: PLC0415
    except ImportError:
        message = "widgets need anywidget; fix: pip install anywidget"
        raise ImportError(message) from None

    class TreeWidget(anywidget.AnyWidget):
        """A page in a frame."""

        _esm = _SCRIPT
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(720).tag(sync=True)

    return TreeWidget
