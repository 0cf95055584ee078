from branchwise.rewarding.listing import SetsListing as SetsListing
from branchwise.rewarding.sets import RewardingSet as RewardingSet
from branchwise.rewarding.sets import RewardingSets as RewardingSets
