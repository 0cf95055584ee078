"""
Academic advising: instance 1 of the International Probabilistic Planning Competition.

A student takes one course in a semester and passes it the more likely, the more of its
prerequisites are passed. Each semester before graduation costs 5, a course 1, and one
that is taken again 2 (Ferland and Sanner, 2014; academic_advising_inst_mdp__1.rddl).
"""

from fractions import Fraction
from functools import cache

from branchwise import Action, Counter, Given, Problem, Reward
from branchwise.model.condition import Attempted, Happened, all_of, at_least

PREREQUISITES = {
    "CS11": [],
    "CS12": [],
    "CS21": ["CS11", "CS12"],
    "CS22": ["CS12", "CS21"],
    "CS41": ["CS11", "CS22"],
}
"""The courses that a requirement depends on; the five others help none of them."""

REQUIRED = ("CS21", "CS22", "CS41")


def passing(course, num_passed):
    """How likely a course is passed with so many of its prerequisites."""
    needed = len(PREREQUISITES[course])
    if not needed:
        return Fraction("0.8")
    return Fraction("0.2") + Fraction("0.8") * Fraction(num_passed, 1 + needed)


def advising(num_semesters):
    """
    The problem, with `at least` for how many prerequisites are passed.

    To stop leaves 5 to pay for each semester that is left, unless one rests, which is
    free for those who have graduated.
    """
    semesters = Counter("semesters", low=0, high=num_semesters, start=num_semesters)
    graduated = all_of(*(passed(course) for course in REQUIRED))
    actions = []

    def spend(name, **more):
        requires = all_of(semesters >= 1, *more.pop("also", ()))
        actions.append(
            Action(
                name,
                requires=requires,
                attempts=float("inf"),
                effects={semesters: -1},
                **more,
            )
        )

    for course, needed in PREREQUISITES.items():
        held = [passed(each) for each in needed]
        clauses = [
            (again, number)
            for again in (True, False)
            for number in range(len(needed), -1, -1)
        ]
        spend(
            course,
            cost=6,
            outcomes=grades(course, 0),
            given=[
                Given(
                    all_of(
                        *([taken(course)] if again else []), at_least(number, *held)
                    ),
                    outcomes=grades(course, number),
                    cost=7 if again else 6,
                )
                for again, number in clauses
            ],
            precluded_by=passed(course) | graduated,
        )
    spend("wait", cost=5, outcomes={"done": 1}, precluded_by=graduated)
    spend("rest", cost=0, outcomes={"done": 1}, also=[graduated])
    return Problem(
        actions,
        [Reward(per=semesters, value=-5)],
        combine="sum",
        cost_weight=1,
        counters=[semesters],
    )


def passed(course):
    """The condition that a course is passed."""
    return Happened(course, "passed")


def taken(course):
    """The condition that a course was taken before."""
    return Attempted(course)


def grades(course, number):
    return {"passed": passing(course, number), "failed": "rest"}


def best_by_hand(num_semesters):
    """The highest expected reward, by the equations of the competition's file."""
    courses = tuple(PREREQUISITES)

    @cache
    def value(grades, left):
        has = {
            course for course, grade in zip(courses, grades, strict=True) if grade == 2
        }
        if not left or has.issuperset(REQUIRED):
            return 0.0
        options = [value(grades, left - 1)]
        for at, course in enumerate(courses):
            if course not in has:
                likely = float(passing(course, len(has & set(PREREQUISITES[course]))))
                after = [(*grades[:at], new, *grades[at + 1 :]) for new in (2, 1)]
                good, bad = (value(each, left - 1) for each in after)
                fee = 2 if grades[at] else 1
                options.append(likely * good + (1 - likely) * bad - fee)
        return max(options) - 5

    return value((0,) * len(courses), num_semesters)
