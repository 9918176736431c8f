/* math.c: elementary functions of float that kernels call: the simulator's own, so that
 * results can be compared with it by their bits.  A GPU's differ in their last ones. */
#include <math.h>

#include "standin.h"

#include "../../../targets/sim/kern_math.h"

static float f_exp(float x) { return exp_f32(x); }
static float f_exp2(float x) { return ex2_f32(x); }
static float f_exp10(float x) { return exp10_f32(x); }
static float f_log(float x) { return log_f32(x); }
static float f_log2(float x) { return log2_f32(x); }
static float f_log10(float x) { return log10_f32(x); }
static float f_tanh(float x) { return tanh_f32(x); }
static float f_erf(float x) { return erf_f32(x); }
static float f_fast_exp(float x) { return ex2_f32(x * 1.44269502f); }
static float f_fast_exp10(float x) { return ex2_f32(x * 3.32192802f); }
static float f_fast_sin(float x) { return quarter_f32(x, 0); }
static float f_fast_cos(float x) { return quarter_f32(x, 1); }

float (*const standin_math[NStandinMath])(float) = {
#define F(name) f_##name,
    STANDIN_FUNCTIONS
#undef F
};
