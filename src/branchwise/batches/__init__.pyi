from branchwise.batches.batch import Batch as Batch
from branchwise.batches.batch_row import BatchRow as BatchRow
from branchwise.batches.batch_sweep import Sweep as Sweep
from branchwise.batches.batch_sweep import sweep as sweep
