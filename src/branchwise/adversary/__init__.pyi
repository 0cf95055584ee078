from branchwise.adversary.interdict import DEFENSE_METHODS as DEFENSE_METHODS
from branchwise.adversary.interdict import defend as defend
from branchwise.adversary.interdiction import DefensePoint as DefensePoint
from branchwise.adversary.interdiction import DefenseWorth as DefenseWorth
from branchwise.adversary.interdiction import Interdiction as Interdiction
