# A part of the conformance suite through the run-time of maca, the results bit-equal with
# those of the simulator's C500.  `make conform` runs all of it.
. lib/wave.sh
use std
. lib/conform.sh
conform gemm maca 3
conform elementwise maca 9
conform reduce maca 9
conform attention maca 9
