# shellcheck shell=sh disable=SC1091 # in the folder above
# operators_all.sh CHIP: every name of T on a chip's target: `make hunt`.  Exit status 1 when a printed
# text is not what was simulated.
. lib/standin.sh
use std
. lib/operators.sh
case $1 in
maca) operators "maca -async=on" "sim -arch=c500" "" 1 0 ;;
maca-plain) operators "maca -async=on -mma=off" "sim -arch=c500" "" 1 0 ;;
*) operators "hip -arch=$1" "sim -arch=$1" "$1" 1 0 ;;
esac >"$TMP/said"
cat "$TMP/said"
grep -q 'kernels leave' "$TMP/said" && ! grep -q '^T\.\|error' "$TMP/said"
