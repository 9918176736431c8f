# The same with asynchronous copies: what is copied is there behind its wait, not before;
# and with the threads of a block in the other order.
. lib/wave.sh
use std
. lib/conform.sh
conform gemm "maca -async=on" 6
conform attention "maca -async=on" 9
FAKE_WAVE_ORDER=reverse conform gemm "maca -async=on" 6
FAKE_WAVE_ORDER=reverse conform reduce maca 9
