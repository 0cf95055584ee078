"""State indexing: the paper's formula that gives every state a number of its own."""

from collections.abc import Sequence

from branchwise.space.state_domain import NumberedStates


class StateIndex(NumberedStates):
    """
    Number every state from zero up, in plain Python.

    This is the equation of the appendix "State indexing"::

        index(s) = sum_i (sum_{x in dom(S_i)} I(x < s_i)) prod_{j<i} |dom(S_j)|

    The inner sum counts the values below ``s_i``, which is the rank of ``s_i``, so a
    state is given as its ranks. The paper prints ``x <= s_i``, but then its own
    example, five digits that run from 0 to 99999, would not start at 0.

    Examples
    --------
    >>> digits = StateIndex([10, 10, 10, 10, 10])
    >>> digits.index((1, 2, 3, 4, 5))
    54321
    >>> digits.state(99999)
    (9, 9, 9, 9, 9)
    >>> digits.index((1, 10, 0, 0, 0))
    Traceback (most recent call last):
        ...
    ValueError: state[1]: 10 is not one of its 10 values
        fix: use a rank from 0 to 9
    """

    def _index(self, state: Sequence[int]) -> int:
        index = 0
        place = 1  # the product over the elements before this one
        for rank, size in zip(state, self.sizes, strict=True):
            index += rank * place
            place *= size
        return index

    def _state(self, index: int) -> tuple[int, ...]:
        ranks = []
        for size in self.sizes:
            index, rank = divmod(index, size)
            ranks.append(rank)
        return tuple(ranks)
