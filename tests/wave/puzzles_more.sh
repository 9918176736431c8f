# Puzzles are judged on these targets as on any; the device is too small for their timing.
# `make conform` verifies all of them.  See puzzles.sh.
. lib/wave.sh
use std
"$MOONTILE" --lang en puzzles init "$TMP/mine" >/dev/null 2>&1
judge() { # judge NAME TARGET
    cp ../../puzzles/$1/solution.lua "$TMP/mine/$1.lua"
    FAKE_WAVE_MEMORY=20000000 "$MOONTILE" --lang en puzzles run $1 --dir "$TMP/mine" -t $2 \
        >"$TMP/out" 2>&1
    echo "$1 on $2: $?, $(head -1 "$TMP/out" | cut -d' ' -f1-4)"
}
judge 05-row-sum hip
judge 22-wave64 maca
