# The thread block.
