# Sourced by the tests of this folder: makes the stand-in for the driver and points
# the program at it.  Skips (77) where it cannot be made, or where there is no NVRTC.

fake() { # fake [FLAGS]: libcuda.so.1 and libnvidia-ml.so.1 in $TMP
    command -v "${CC:-cc}" >/dev/null || { echo "no C compiler"; exit 77; }
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I../.. -I"$(dirname "$MOONTILE")/gen" -O1 -fPIC -shared "$@" -o "$TMP/libcuda.so.1" \
        lib/fake_cuda.c -lm -pthread 2>"$TMP/cc.log" || { cat "$TMP/cc.log"; exit 1; }
    export MOONTILE_CUDA_LIB="$TMP/libcuda.so.1" MOONTILE_NVML_LIB="$TMP/libcuda.so.1"
    export FAKE_CUDA_LOG="$TMP/log"
    : >"$TMP/log"
}

# The compiler of lib/fake_rtc.h in place of NVRTC: what it makes only the stand-in loads.
fake_rtc() { export MOONTILE_NVRTC_LIB="$TMP/libcuda.so.1"; }

# Compiles one kernel without a device: is there a compiler for it?
need_nvrtc() {
    if "$MOONTILE" --lang en -t "cuda -build -arch=sm_80" lib/twice.lua 2>&1 | grep -q 'E42[01]'; then
        echo "no NVRTC"
        exit 77
    fi
}

# The first line and the label of each message, and the help; no file names.
brief() {
    sed -e 's/^[^ ]*: \(error\|warning\)/\1/' -e '/^ *[0-9][0-9]* | /d' -e 's/^ *| *^* /    /' \
        -e "s#$TMP#TMP#g"
}

run() { # run NAME=VALUE ..: the kernel of lib/twice.lua under these settings
    echo "== $*" | sed "s#$TMP#TMP#g"
    env "$@" "$MOONTILE" --lang en -t cuda lib/twice.lua 2>&1 | brief
}
