# The grid.
