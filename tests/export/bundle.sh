# A kernel as a folder that is built and run without moontile: its files, its header;
# a folder that cannot be written.
. lib/nvrtc.sh
OUT=$TMP/out
mkdir "$OUT"
touch "$OUT/file"
"$MOONTILE" --lang en lib/bundle.lua "$OUT" 2>&1 | sed "s#$TMP#TMP#g"
for k in gemm scale; do
    head -c 4 "$OUT/$k/$k.cubin" | tr -d '\177' && echo
    cat "$OUT/$k/$k.h"
done
grep gridDimX "$OUT/cut/cut.c"
