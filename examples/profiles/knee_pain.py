"""
Write the patients of knee_pain.yaml to knee_pain.csv: forty people who never lived.

Age, sex and body mass index are drawn by chance; the probabilities follow by invented
rules. Older knees are worn more often, surgery is riskier with age and weight, and
exercise works less well for some. Same seed, same patients.
"""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

COLUMNS = [
    "profile",
    "age",
    "sex",
    "bmi",
    "P(exercise=better)",
    "P(medicine=unwell)",
    "P(scan=worn)",
    "P(replacement=harmed)",
    "reward of replacement=harmed",
    "cost weight",
]


def patients(count: int = 40, seed: str = "knee pain") -> Iterator[list[object]]:
    """Draw patients, each a row of the table."""
    chance = random.Random(seed)
    for number in range(1, count + 1):
        age = round(min(max(chance.gauss(62, 11), 35), 88))
        bmi = round(min(max(chance.gauss(28, 4.5), 19), 42), 1)
        exercise = share(0.55 - 0.006 * (age - 45) - 0.01 * (bmi - 25), chance)
        unwell = share(0.06 + 0.006 * (age - 50), chance)
        worn = share(0.1 + 0.017 * (age - 45) + 0.015 * (bmi - 25), chance)
        harmed = share(0.03 + 0.004 * (age - 50) + 0.006 * (bmi - 25), chance)
        yield [
            f"patient {number}",
            age,
            chance.choice("fm"),
            bmi,
            exercise,
            unwell,
            worn,
            min(harmed, 0.19),
            -40 if age < 55 else "" if age < 75 else -90,
            chance.choice([1, "", "", 4]),
        ]


def share(middle: float, chance: random.Random) -> float:
    """Give a probability of two digits near this one."""
    return round(min(max(middle + chance.gauss(0, 0.03), 0.02), 0.9), 2)


if __name__ == "__main__":
    with (
        Path(__file__)
        .with_suffix(".csv")
        .open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(patients())
