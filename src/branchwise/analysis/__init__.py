"""Questions about a problem and its plans: what matters, and what would change them."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.analysis.analyze import SECTIONS, Analysis
    from branchwise.analysis.critical_actions.criticality import (
        ActionCriticality,
        Criticality,
        LiftedCondition,
        criticality,
    )
    from branchwise.analysis.explanations.explain import (
        Continuation,
        Explanation,
        Following,
        explain,
    )
    from branchwise.analysis.explanations.same_luck import LuckyCase
    from branchwise.analysis.individuals.individuals import (
        Individual,
        NumberRange,
        PlanRule,
        ProfilePlan,
        Profiles,
    )
    from branchwise.analysis.individuals.profiles import profiles
    from branchwise.analysis.information.outcome_tests import (
        OutcomeTest,
        parse_outcome_test,
    )
    from branchwise.analysis.information.value_of_information import (
        ActionInformation,
        Estimate,
        Information,
        OutcomeTestResult,
        ValuedTest,
        value_of_information,
    )
    from branchwise.analysis.options import AnalysisOptions
    from branchwise.analysis.risk import Risk, RiskFrontier, risk_frontier
    from branchwise.analysis.sensitivity.derivatives import (
        Derivative,
        Derivatives,
        derivatives,
    )
    from branchwise.analysis.sensitivity.frontier import (
        BudgetFrontier,
        FrontierPoint,
        ResourceFrontier,
        budget_frontier,
    )
    from branchwise.analysis.sensitivity.parameters import (
        PARAMETER_KINDS,
        Parameter,
        parameters,
    )
    from branchwise.analysis.sensitivity.ranges import SampleSize
    from branchwise.analysis.sensitivity.thresholds import (
        OneWay,
        Segment,
        Thresholds,
        one_way,
        thresholds,
    )
    from branchwise.analysis.sensitivity.tornado import Swing, Tornado, tornado
    from branchwise.analysis.sensitivity.two_way import MapCell, TwoWay, two_way
    from branchwise.analysis.sensitivity.uncertainty import (
        Draw,
        Uncertainty,
        uncertainty,
    )
    from branchwise.analysis.simulation.environment import environment
    from branchwise.analysis.simulation.policies import POLICY_NAMES
    from branchwise.analysis.simulation.simulate import (
        ObservedPath,
        Simulation,
        simulate,
    )
    from branchwise.analysis.table import Table
    from branchwise.analysis.what_if import WhatIfs

__all__ = [
    "PARAMETER_KINDS",
    "POLICY_NAMES",
    "SECTIONS",
    "ActionCriticality",
    "ActionInformation",
    "Analysis",
    "AnalysisOptions",
    "BudgetFrontier",
    "Continuation",
    "Criticality",
    "Derivative",
    "Derivatives",
    "Draw",
    "Estimate",
    "Explanation",
    "Following",
    "FrontierPoint",
    "Individual",
    "Information",
    "LiftedCondition",
    "LuckyCase",
    "MapCell",
    "NumberRange",
    "ObservedPath",
    "OneWay",
    "OutcomeTest",
    "OutcomeTestResult",
    "Parameter",
    "PlanRule",
    "ProfilePlan",
    "Profiles",
    "ResourceFrontier",
    "Risk",
    "RiskFrontier",
    "SampleSize",
    "Segment",
    "Simulation",
    "Swing",
    "Table",
    "Thresholds",
    "Tornado",
    "TwoWay",
    "Uncertainty",
    "ValuedTest",
    "WhatIfs",
    "budget_frontier",
    "criticality",
    "derivatives",
    "environment",
    "explain",
    "one_way",
    "parameters",
    "parse_outcome_test",
    "profiles",
    "risk_frontier",
    "simulate",
    "thresholds",
    "tornado",
    "two_way",
    "uncertainty",
    "value_of_information",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "analyze": "Analysis SECTIONS",
        "critical_actions.criticality": (
            "ActionCriticality Criticality LiftedCondition criticality"
        ),
        "explanations.explain": "Continuation Explanation Following explain",
        "explanations.same_luck": "LuckyCase",
        "individuals.individuals": (
            "Individual NumberRange PlanRule ProfilePlan Profiles"
        ),
        "individuals.profiles": "profiles",
        "information.outcome_tests": "OutcomeTest parse_outcome_test",
        "information.value_of_information": (
            "ActionInformation Estimate Information OutcomeTestResult ValuedTest "
            "value_of_information"
        ),
        "options": "AnalysisOptions",
        "risk": "Risk RiskFrontier risk_frontier",
        "sensitivity.derivatives": "Derivative Derivatives derivatives",
        "sensitivity.frontier": (
            "BudgetFrontier FrontierPoint ResourceFrontier budget_frontier"
        ),
        "sensitivity.parameters": "PARAMETER_KINDS Parameter parameters",
        "sensitivity.ranges": "SampleSize",
        "sensitivity.thresholds": "OneWay Segment Thresholds one_way thresholds",
        "sensitivity.tornado": "Swing Tornado tornado",
        "sensitivity.two_way": "MapCell TwoWay two_way",
        "sensitivity.uncertainty": "Draw Uncertainty uncertainty",
        "simulation.environment": "environment",
        "simulation.policies": "POLICY_NAMES",
        "simulation.simulate": "ObservedPath Simulation simulate",
        "table": "Table",
        "what_if": "WhatIfs",
    },
)
