from branchwise.reference.objective import OBJECTIVES as OBJECTIVES
