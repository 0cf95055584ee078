"""A problem that uses every word for what states may hold besides outcomes."""

TREATMENT = """\
name: Treatment
parameters: {prevalence: 0.3, visit: 120, most: 3, "per day": 2}
budget: {days: 30, money: unlimited}
hidden:
  disease: {present: prevalence, absent: rest}
  strain:
    outcomes: {mild: 0.8, severe: 0.2}
    given: [{when: disease=absent, outcomes: {mild: 1}}]
counters:
  doses: {start: most, range: 0..most}
  harm: {range: -1..(most + 2)}
  gain: {range: 0..6}
actions:
  test:
    cost: {days: visit / 60}
    outcomes: {positive: 0.2, negative: rest}
    given:
      - when: count(treat) > 0
        cost: {days: 1}
      - when: disease=present and not strain=severe
        outcomes: {positive: 0.9, negative: rest}
  treat:
    cost: {days: 1, money: 2}
    attempts: unlimited
    requires: doses >= 1 and harm < most and count(treat=worse) <= (most - 1)
    precluded_by: left(days) < "per day"
    effects: {doses: -1}
    outcomes:
      better: {probability: "0.1 [0.05, 0.2]", effects: {gain: +2}}
      worse: {probability: 0.2, effects: {harm: +1, gain: -1}, cost: {days: 4}}
      fatal: {probability: 0.01, ends: lose}
      cured: {probability: 0.01, ends: keep, cost: {days: 1, money: 3}}
      same: rest
    given:
      - when: disease=present
        outcomes: {better: 0.6, worse: 0.1, fatal: 0.01, same: rest}
rewards:
  - {when: treat=better and disease=present, value: 10}
  - {when: gain == 2 and harm <= 1, value: visit / 60}
  - {per: harm, value: -3}
combine: sum
cost_weight: {money: 0.1}
finish: test or count(treat) >= 2
"""

SEARCH = """\
name: Search
budget: unlimited
actions:
  look: {cost: 2, outcomes: {found: 0.3, not: rest}}
  dig:
    attempts: 3
    outcomes: {found: {probability: 1/3, cost: 1}, not: rest}
finish: look=found or dig=found
objective: least-cost
unfinished: 20
"""
