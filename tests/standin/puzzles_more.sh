# Puzzles are judged on these targets as on any; the device is too small for their timing.
# `make conform` verifies all of them.  See puzzles.sh.
. lib/standin.sh
use std
"$MOONTILE" --lang en puzzles init "$TMP/mine" >/dev/null 2>&1
judge 05-row-sum hip
judge 22-wave64 maca
