from branchwise.risk.aims import Aim as Aim
from branchwise.risk.aims import AtLeast as AtLeast
from branchwise.risk.aims import AtMost as AtMost
from branchwise.risk.aims import CVaR as CVaR
from branchwise.risk.aims import ExponentialUtility as ExponentialUtility
from branchwise.risk.aims import UtilityTable as UtilityTable
from branchwise.risk.aims import parse_aim as parse_aim
