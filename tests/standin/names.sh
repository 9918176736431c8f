# Where the libraries are looked for, and under which names: a folder that a variable
# names, the loader's own, an installation; AMD's before Hygon's.
. lib/standin.sh
use std
unset MOONTILE_MACA_LIB MOONTILE_HIP_LIB MOONTILE_HIPRTC_LIB MOONTILE_MXCC MOONTILE_HIPCC
put() { # put FOLDER NAME [AS]
    mkdir -p "$TMP/$1"
    cp "$work/std/$2" "$TMP/$1/${3:-$2}"
}
run() { # run TARGET [NAME=VALUE ..]
    echo "== $*" | sed -e "s#$TMP#TMP#g" -e "s# PATH=[^ ]*##"
    target=$1
    shift
    env "$@" "$MOONTILE" --lang en -t "$target" ../cuda/lib/twice.lua 2>&1 | brief
    env "$@" STANDIN_COUNT=0 "$MOONTILE" --lang en -t "$target" ../cuda/lib/twice.lua 2>&1 |
        brief | sed -n 2p
}
put maca/lib libmcruntime.so
put maca/mxgpu_llvm/bin mxcc
run maca MACA_PATH="$TMP/maca"
run maca MACA_HOME="$TMP/maca"
run maca LD_LIBRARY_PATH="$TMP/maca/lib"
run "maca -rtc=off" MACA_PATH="$TMP/maca"
put rocm/lib libamdhip64.so libamdhip64.so.6
put rocm/lib libhiprtc.so libhiprtc.so.6
put rocm/bin hipcc
run hip ROCM_PATH="$TMP/rocm"
run hip LD_LIBRARY_PATH="$TMP/rocm/lib"
run "hip -rtc=off" ROCM_PATH="$TMP/rocm"
# Hygon's: one library, which has the compiler's functions too
put dtk/lib libgalaxyhip.so.5
chip="STANDIN_CHIP=gfx936:sramecc+:xnack- STANDIN_NAME=Hygon"
run hip LD_LIBRARY_PATH="$TMP/dtk/lib" $chip
put both libgalaxyhip.so.5
put both libamdhip64.so
put both libhiprtc.so
run hip LD_LIBRARY_PATH="$TMP/both"
# or has none: then the offline compiler, under Hygon's name
use none -DSTANDIN_NO_RTC
unset MOONTILE_MACA_LIB MOONTILE_HIP_LIB MOONTILE_HIPRTC_LIB MOONTILE_MXCC MOONTILE_HIPCC
mkdir -p "$TMP/old" "$TMP/bin"
cp "$work/none/libgalaxyhip.so.5" "$TMP/old"
cp "$work/none/mxcc" "$TMP/bin/aicc"
run hip LD_LIBRARY_PATH="$TMP/old" PATH="$TMP/bin:$PATH" $chip
