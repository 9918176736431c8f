# The conformance suite through the run-time of maca, its results bit-equal with those of the
# simulator's C500.  `make conform` adds other orders of threads, other options, the
# examples and the puzzles.  This part: element by element.
. lib/standin.sh
use std
. lib/conform.sh
conform elementwise maca 1
