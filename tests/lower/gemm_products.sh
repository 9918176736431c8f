# What T.gemm becomes: fetches, instructions and the arrangement of its operands.
. lib/gemm.sh
h=float16 f=float32
show() { gemm "$@"; products; }
show sm_80 $h $h $f "64 64 32" 128 "" "" ""
show sm_80 $h $h $f "64 64 32" 128 "" "" "transpose_A=1 transpose_B=1"
show sm_80 $h $h $h "32 8 16" 32 "" "" "policy=2 clear_accum=1"
show sm_80 int8 int8 int32 "32 32 64" 32 "" "" ""
show sm_80 tfloat32 tfloat32 $f "16 16 16" 32 "" "" "transpose_B=1"
show sm_80 float64 float64 float64 "16 16 8" 64 "" "" ""
show sm_80 $h $h $f "64 24 16" 32 "" "" ""
show sm_80 $h $h bfloat16 "16 8 16" 32 "" "" ""
show sm_90a $h $h $f "128 64 64" 128 "" "" ""
show sm_90a $h $h $f "128 256 64" 256 fragment shared "policy=1 clear_accum=1"
show sm_90a $h $h $h "64 24 32" 128 "" "" "transpose_A=1"
show sm_90a float8_e4m3fn float8_e5m2 $f "64 512 64" 128 "" "" "transpose_B=1"
show c500 $h $h $f "32 32 32" 64 "" "" "transpose_B=1 k_pack=2"
show gfx942 int8 int8 int32 "32 32 64" 128 "" "" ""
