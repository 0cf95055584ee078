from branchwise.follow.advice import Advice as Advice
from branchwise.follow.advice import Change as Change
from branchwise.follow.follower import Follower as Follower
