# On a GPU: cuBLAS computes what we think it does, and kernels are timed beside it.
export MOONTILE_CACHE_DIR="$TMP/cache"
"$MOONTILE" -e 'os.exit(require("moontile.ir").target "cuda" and require("moontile.ir").present "cuda")' || {
    echo "no GPU"
    exit 77
}
"$MOONTILE" --lang en -t cuda lib/cuda.lua
