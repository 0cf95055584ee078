from branchwise.reference.objective import OBJECTIVES as OBJECTIVES
from branchwise.reference.pruning_check import PruningCheck as PruningCheck
from branchwise.reference.pruning_check import check_pruning as check_pruning
