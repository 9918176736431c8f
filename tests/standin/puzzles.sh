# Puzzles are judged on these targets as on any; the device is too small for their timing.
# `make conform` verifies all of them.
. lib/standin.sh
use std
"$MOONTILE" --lang en puzzles init "$TMP/mine" >/dev/null 2>&1
judge 13-race maca
judge 22-wave64 hip
