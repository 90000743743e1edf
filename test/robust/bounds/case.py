"""A row of the table of run.py."""
import collections

# name; make(folder) writes the input; commands, each a list of words, run in that folder; the number of stored
# tensors; of expected tensors that are materialised; the bytes that a command may write (None: unlimited);
# checkpoints in the folder, if there are many: hash keeps 12 KiB for each; slow: only for BOUNDS=all.
Case = collections.namedtuple("Case", "name make commands stored expected output files slow", defaults=(0, 0, None, 0, False))


def words(*lines): return [line.split() for line in lines]


# Every command that reads a folder or a file, `.`
READERS = words("show .", "show --json .", "tensors --json .", "meta .", "meta --json .", "reconcile .", "reconcile --json .",
                "explain 7B .", "verify .", "verify --json .", "verify -l hash .", "print .", "hash .", "identify .", "diff . .",
                "behead . out")
