"""A wildcatter who may test, drill and sell: a plan to follow."""

OIL = """\
name: Oil wildcatter
budget: 3
actions:
  test: {outcomes: {good: 0.4, bad: rest}}
  drill:
    precluded_by: test=bad or sell=sold
    outcomes: {oil: 20%, dry: rest}
    given: [{when: test=good, outcomes: {oil: 1/2, dry: rest}}]
  sell: {requires: test=good and not drill, outcomes: {sold: 0.9, no buyer: rest}}
rewards:
  - {when: drill=oil, value: 200}
  - {when: sell=sold, value: 120}
"""
