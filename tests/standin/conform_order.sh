# With the threads of a block in the other order: what is right does not care.
. lib/standin.sh
use std
. lib/conform.sh
export STANDIN_ORDER=reverse
conform gemm "maca -async=on" 6
conform attention "maca -async=on" 6
conform reduce maca 6
conform gemm "hip -arch=gfx942" 12
