# shellcheck shell=sh
# operators TARGET SIM CHIP STEP FROM: one of STEP names of T, see operators.lua.
operators() {
    STANDIN_CHIP=$3 TARGET=$1 SIM=$2 STEP=$4 FROM=$5 "$MOONTILE" --lang en lib/operators.lua >"$TMP/operators" 2>&1
    grep '^T\.[^:]* is not\|kernels leave\|error\|^refused' "$TMP/operators"
}
