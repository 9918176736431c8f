# What names threads says how the cpu target runs it.
for lang in en zh; do
    for name in T.ws T.tma_copy T.wgmma_gemm T.get_lane_idx; do
        "$MOONTILE" --lang $lang help $name | grep cpu
    done
done
