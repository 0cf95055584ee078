from branchwise.space.state_space import AvailableAction as AvailableAction
from branchwise.space.state_space import StateSpace as StateSpace
from branchwise.space.state_space import Transition as Transition
