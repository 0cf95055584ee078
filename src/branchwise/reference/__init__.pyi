from branchwise.reference.check_pruning import PruningCheck as PruningCheck
from branchwise.reference.check_pruning import check_pruning as check_pruning
from branchwise.reference.objective import OBJECTIVES as OBJECTIVES
