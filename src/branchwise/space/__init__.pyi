from branchwise.space.array_space import ArraySpace as ArraySpace
from branchwise.space.array_space import ArrayTransitions as ArrayTransitions
from branchwise.space.own_space import starting_at as starting_at
from branchwise.space.state_space import AvailableAction as AvailableAction
from branchwise.space.state_space import StateSpace as StateSpace
from branchwise.space.state_space import Transition as Transition
