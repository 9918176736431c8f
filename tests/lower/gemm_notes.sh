# Why T.gemm did not take a better way, with the values that decided it.
. lib/gemm.sh
h=float16 f=float32
say() { gemm "$@"; notes; }
say sm_90a $h $h $f "32 64 64" 128 "" "" ""
say sm_90a $h $h $f "64 64 64" 96 "" "" ""
say sm_90a $h $h $f "64 64 64" 128 shared fragment ""
say sm_90a int8 int8 int32 "64 64 64" 128 "" "" ""
say sm_90a float8_e4m3fn float8_e4m3fn $f "64 64 64" 128 "" "" "transpose_B=1"
say sm_89 float8_e4m3fn float8_e4m3fn $f "64 64 64" 128 "" "" "transpose_B=1"
say sm_90a $h $h $f "64 64 24" 128 "" "" ""
say sm_80 $f $f $f "64 64 64" 128 "" "" ""
say sm_80 $h $h $f "16 8 16" 128 "" "" ""
say sm_80 $h $h bfloat16 "16 8 16" 32 "" "" ""
say sm_80 int16 int16 int32 "64 64 64" 128 "" "" ""
say sm_80 $h $h $f "8 64 64" 128 "" "" ""
say sm_80 int8 int8 int32 "32 32 64" 32 "" "" "transpose_A=1 transpose_B=1"
say sm_80 $h $h $f "64 64 64" 128 "" "" "k_pack=2"
say c500 float8_e4m3fn float8_e4m3fn $f "64 64 64" 128 "" "" ""
say c500 $h $h $f "64 64 16" 64 "" "" "k_pack=2"
say simt $h $h $f "64 64 64" 128 "" "" ""
