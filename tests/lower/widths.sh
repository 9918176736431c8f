# How wide threads go through global memory: 16 bytes of the narrowest type where
# registers of another type hold it, also behind a reduction; as wide as the
# narrowest access of a nest, so that lanes stay side by side.
"$MOONTILE" compile lib/widths.lua --emit thread -t "sim -arch=sm_90a" 2>&1 |
    grep -E "^kernel|vectorized|[XYABC]\[.*\] = |= .*[XYABC]\[|-> "
