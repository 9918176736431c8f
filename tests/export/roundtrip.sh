# Kernels as TileLang Python, and read again.
HERE=$(pwd)
mkdir "$TMP/py"
"$MOONTILE" --lang en lib/roundtrip.lua "$TMP/py" ../../lua/examples/[!f]*.lua ../../lua/examples/f[lp]*.lua 2>/dev/null
"$MOONTILE" --lang en lib/roundtrip.lua "$TMP/py" lib/more.lua python.lua 2>/dev/null
cd ../conform && "$MOONTILE" --lang en "$HERE/lib/roundtrip.lua" "$TMP/py" attention.lua elementwise.lua gemm.lua 2>/dev/null
