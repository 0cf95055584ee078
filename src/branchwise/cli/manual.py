"""What ``branchwise --help`` says."""

from typing import Final

MANUAL: Final = """\
Find the best plan when every step may fail.

You list the actions you could take: what each costs, what may come of it and how
likely, what it needs first and what rules it out. You say what is worth reaching and
what you can spend. branchwise answers with the best decision tree there is: what to
do first, and what to do next whatever happens.

\b
A problem is a file such as oil.yaml:
  name: Oil wildcatter
  budget: 3
  actions:
    test:  {outcomes: {good: 0.4, bad: 0.6}}
    drill: {cost: 2, requires: test=good, outcomes: {oil: 0.5, dry: rest}}
    lease: {cost: 2, outcomes: {royalty: 0.6, nothing: rest}}
  rewards:
    - {when: drill=oil, value: 200}
    - {when: lease=royalty, value: 40}

\b
Then:
  branchwise check oil.yaml                     is anything wrong with it?
  branchwise solve oil.yaml                     the best plan
  branchwise solve oil.yaml --budget 5          ... with more to spend
  branchwise solve oil.yaml --html plan.html    ... as a picture
  branchwise solve oil.yaml --json -            ... for other programs
  branchwise evaluate oil.yaml --plan my.yaml   ... and what mine is worth
  branchwise compare oil.yaml --budget 5        what another budget changes
  branchwise simulate oil.yaml                  ... tried out many times
  branchwise certify oil.yaml                   ... with a proof to check
  branchwise analyze oil.yaml                   what matters in it
  branchwise explain oil.yaml --action drill    why not that?
  branchwise follow oil.yaml                    be led through it step by step
  branchwise sets oil.yaml                      what leads to a reward
  branchwise program oil.yaml                   the scores as a linear program
  branchwise graph oil.yaml --svg oil.svg       what depends on what
  branchwise convert oil.yaml oil.xlsx          the problem as a table
  branchwise generate random.yaml               a random problem to try

\b
Exit codes: 0 answered, 1 rejected by verify, 2 wrong input or usage,
70 an answer that proved wrong and is not given, 130 interrupted,
143 terminated.
"""
