from branchwise.analysis.analyze import SECTIONS as SECTIONS
from branchwise.analysis.analyze import Analysis as Analysis
from branchwise.analysis.comparison.compare import Comparison as Comparison
from branchwise.analysis.comparison.compare import Difference as Difference
from branchwise.analysis.comparison.compare import Parting as Parting
from branchwise.analysis.comparison.compare import compare as compare
from branchwise.analysis.comparison.evaluation import Evaluation as Evaluation
from branchwise.analysis.comparison.evaluation import Loss as Loss
from branchwise.analysis.comparison.evaluation import evaluation as evaluation
from branchwise.analysis.critical_actions.criticality import (
    ActionCriticality as ActionCriticality,
)
from branchwise.analysis.critical_actions.criticality import Criticality as Criticality
from branchwise.analysis.critical_actions.criticality import (
    LiftedCondition as LiftedCondition,
)
from branchwise.analysis.critical_actions.criticality import criticality as criticality
from branchwise.analysis.economics.cost_effectiveness import Acceptance as Acceptance
from branchwise.analysis.economics.cost_effectiveness import (
    ComparedPlan as ComparedPlan,
)
from branchwise.analysis.economics.cost_effectiveness import (
    CostEffectiveness as CostEffectiveness,
)
from branchwise.analysis.economics.cost_effectiveness import DrawnPlan as DrawnPlan
from branchwise.analysis.economics.cost_effectiveness import (
    EfficientPlan as EfficientPlan,
)
from branchwise.analysis.economics.cost_effectiveness import (
    cost_effectiveness as cost_effectiveness,
)
from branchwise.analysis.explanations.explain import Continuation as Continuation
from branchwise.analysis.explanations.explain import Explanation as Explanation
from branchwise.analysis.explanations.explain import Following as Following
from branchwise.analysis.explanations.explain import explain as explain
from branchwise.analysis.explanations.same_luck import LuckyCase as LuckyCase
from branchwise.analysis.individuals.individuals import Individual as Individual
from branchwise.analysis.individuals.individuals import NumberRange as NumberRange
from branchwise.analysis.individuals.individuals import PlanRule as PlanRule
from branchwise.analysis.individuals.individuals import ProfilePlan as ProfilePlan
from branchwise.analysis.individuals.individuals import Profiles as Profiles
from branchwise.analysis.individuals.profiles import profiles as profiles
from branchwise.analysis.information.value_of_information import (
    ActionInformation as ActionInformation,
)
from branchwise.analysis.information.value_of_information import Estimate as Estimate
from branchwise.analysis.information.value_of_information import (
    FactInformation as FactInformation,
)
from branchwise.analysis.information.value_of_information import (
    Information as Information,
)
from branchwise.analysis.information.value_of_information import (
    InformingAction as InformingAction,
)
from branchwise.analysis.information.value_of_information import (
    OutcomeTestResult as OutcomeTestResult,
)
from branchwise.analysis.information.value_of_information import (
    ValuedTest as ValuedTest,
)
from branchwise.analysis.information.value_of_information import (
    value_of_information as value_of_information,
)
from branchwise.analysis.options import AnalysisOptions as AnalysisOptions
from branchwise.analysis.outcome_tests import OutcomeTest as OutcomeTest
from branchwise.analysis.outcome_tests import parse_outcome_test as parse_outcome_test
from branchwise.analysis.parameter import PARAMETER_KINDS as PARAMETER_KINDS
from branchwise.analysis.parameter import Parameter as Parameter
from branchwise.analysis.parameter import parameters as parameters
from branchwise.analysis.risk import Risk as Risk
from branchwise.analysis.risk import RiskFrontier as RiskFrontier
from branchwise.analysis.risk import risk_frontier as risk_frontier
from branchwise.analysis.sensitivity.derivatives import Derivative as Derivative
from branchwise.analysis.sensitivity.derivatives import Derivatives as Derivatives
from branchwise.analysis.sensitivity.derivatives import derivatives as derivatives
from branchwise.analysis.sensitivity.frontier import BudgetFrontier as BudgetFrontier
from branchwise.analysis.sensitivity.frontier import FrontierPoint as FrontierPoint
from branchwise.analysis.sensitivity.frontier import (
    ResourceFrontier as ResourceFrontier,
)
from branchwise.analysis.sensitivity.frontier import budget_frontier as budget_frontier
from branchwise.analysis.sensitivity.nearest_thresholds import (
    nearest_thresholds as nearest_thresholds,
)
from branchwise.analysis.sensitivity.ranges import SampleSize as SampleSize
from branchwise.analysis.sensitivity.strategies import Region as Region
from branchwise.analysis.sensitivity.strategies import Strategies as Strategies
from branchwise.analysis.sensitivity.strategies import StrategyCurve as StrategyCurve
from branchwise.analysis.sensitivity.strategies import StrategyPoint as StrategyPoint
from branchwise.analysis.sensitivity.thresholds import OneWay as OneWay
from branchwise.analysis.sensitivity.thresholds import Segment as Segment
from branchwise.analysis.sensitivity.thresholds import Thresholds as Thresholds
from branchwise.analysis.sensitivity.thresholds import one_way as one_way
from branchwise.analysis.sensitivity.thresholds import thresholds as thresholds
from branchwise.analysis.sensitivity.tornado import Swing as Swing
from branchwise.analysis.sensitivity.tornado import Tornado as Tornado
from branchwise.analysis.sensitivity.tornado import tornado as tornado
from branchwise.analysis.sensitivity.two_way import MapCell as MapCell
from branchwise.analysis.sensitivity.two_way import TwoWay as TwoWay
from branchwise.analysis.sensitivity.two_way import two_way as two_way
from branchwise.analysis.sensitivity.uncertainty import Draw as Draw
from branchwise.analysis.sensitivity.uncertainty import Uncertainty as Uncertainty
from branchwise.analysis.sensitivity.uncertainty import uncertainty as uncertainty
from branchwise.analysis.simulation.environment import environment as environment
from branchwise.analysis.simulation.policies import POLICY_NAMES as POLICY_NAMES
from branchwise.analysis.simulation.simulate import ObservedPath as ObservedPath
from branchwise.analysis.simulation.simulate import Simulation as Simulation
from branchwise.analysis.simulation.simulate import simulate as simulate
from branchwise.analysis.table import Table as Table
from branchwise.analysis.what_if import WhatIfs as WhatIfs
