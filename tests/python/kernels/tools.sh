# What tilelang.tools gives of kernels and layouts; figures are files.
cp lib/tools.py "$TMP"
cd "$TMP" || exit
"$MOONTILE" --lang en -t "sim -arch=sm_90a" tools.py 2>&1
ls tmp figures
grep -c '<svg' tmp/fragment.svg figures/layout.svg
