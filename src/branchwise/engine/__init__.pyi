from branchwise.engine.limits import SEARCHES as SEARCHES
