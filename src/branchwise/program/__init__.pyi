from branchwise.program.linear_program import PROGRAM_GRAPHS as PROGRAM_GRAPHS
from branchwise.program.linear_program import PROGRAM_METHODS as PROGRAM_METHODS
from branchwise.program.linear_program import ScoreProgram as ScoreProgram
from branchwise.program.linear_program import score_program as score_program
from branchwise.program.program_solution import ProgramSolution as ProgramSolution
from branchwise.program.program_solution import ScoredAction as ScoredAction
from branchwise.program.program_solution import ScoredState as ScoredState
