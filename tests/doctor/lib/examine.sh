# Sourced by tests of this folder: the stand-ins, and what of moontile doctor is compared.

cd ../standin
. lib/standin.sh
use std
unset MOONTILE_PROBE
export MOONTILE_CACHE_DIR="$TMP/cache"

# Figures have no place in an expected text.
mask() {
    sed -n '/^\(maca\|hip\) /,$p' | sed -e "s#$work#WORK#g" -e "s#$TMP#TMP#g" \
        -e 's/[0-9a-f]\{32\}/HASH/g' -e 's/ [0-9][0-9.e+-]* \(GB\/s\|TFLOP\/s\|ms\|us\)/ N \1/g'
}
d() { # d "WORDS" [NAME=VALUE ..]
    echo "== $*" | sed "s#$work#WORK#g"
    words=$1
    shift
    env "$@" "$MOONTILE" --lang "${lang:-en}" doctor $words >"$TMP/out" 2>"$TMP/err"
    status=$?
    mask <"$TMP/out"
    cat "$TMP/err"
    echo "status $status"
}
