"""The problems whose pages are looked at: each is large, or wide, in its own way."""

from branchwise.formats.read import read, read_text
from branchwise.generator.generate import generate
from pages import ROOT, blocks

OPERATION = """
name: Twelve steps against a plant
budget: {days: 11}
parameters:
  quiet: 0.04
counters:
  noise: {range: 0..4}
actions:
  scan the perimeter:
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      open port: {probability: 0.55, effects: {noise: +1}}
      nothing: {probability: rest, effects: {noise: +1}}
      detected: {probability: quiet, ends: keep}
  send phishing mail:
    attempts: 2
    cost: 2
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      clicked: 0.35
      ignored: {probability: rest, effects: {noise: +1}}
      detected: {probability: 0.1, ends: keep}
  buy credentials:
    cost: 3
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes: {valid: 0.5, stale: rest}
  exploit the web server:
    attempts: 2
    requires: '"scan the perimeter"="open port"'
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      shell: 0.5
      crash: {probability: rest, effects: {noise: +2}}
      detected: {probability: 0.08, ends: keep}
  log in remotely:
    requires: '"buy credentials"=valid or "send phishing mail"=clicked'
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes: {inside: 0.7, refused: rest}
  alarm:
    cost: 0
    requires: noise >= 4
    outcomes: {raised: 0.5, quiet: 0.5}
  lie low:
    requires: noise >= 1
    outcomes: {calm: {probability: 1, effects: {noise: -2}}}
  block the account:
    cost: 0
    requires: '"log in remotely"=refused'
    outcomes: {blocked: 0.3, forgotten: rest}
  escalate privileges:
    attempts: 2
    requires: '"exploit the web server"=shell or "log in remotely"=inside'
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      administrator: 0.6
      denied: {probability: rest, effects: {noise: +1}}
      detected: {probability: 0.08, ends: keep}
  move to the control network:
    requires: >-
      "escalate privileges"=administrator
      or ("log in remotely"=inside and "exploit the web server"=shell)
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      reached: 0.55
      segmented: rest
      detected: {probability: 0.1, ends: keep}
  copy the recipes:
    requires: '"escalate privileges"=administrator'
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      copied: 0.8
      detected: {probability: rest, ends: lose}
  stop the line:
    cost: 2
    requires: >-
      "move to the control network"=reached
      and ("escalate privileges"=administrator or "buy credentials"=valid)
    precluded_by: alarm=raised or "block the account"=blocked
    outcomes:
      stopped: 0.7
      failsafe: rest
      detected: {probability: 0.1, ends: lose}
rewards:
  - {when: '"copy the recipes"=copied', value: 60}
  - {when: '"stop the line"=stopped', value: 150}
  - {when: '"escalate privileges"=administrator', value: 10}
cost_weight: 0.5
"""


def shown_problems():
    """Give four problems by name, as they are read."""
    guide = blocks(ROOT / "docs" / "guides" / "test-before-treating.md")
    strep = next(block.text for block in guide if block.language == "yaml")
    return {
        "illustrative": read(ROOT / "examples" / "illustrative.yaml"),
        "operation": read_text(OPERATION, format="yaml"),
        "strep": read_text(strep, format="yaml"),
        "thousand": generate(25, budget=12, seed=5),
    }
