/* targets/hip/prelude.c: helpers of printed HIP C++: what lanes, blocks and memory do,
 * and declarations of the device library's functions. */
#include "hip.h"

#include <string.h>

#define FENCE(order, scope) "    __builtin_amdgcn_fence(" order ", \"" scope "\");\n"
#define ATOMIC(name, fn) \
    {name, "", \
     "template <class T>\n% T " name "(T *p, T v)\n{\n" \
     "    return " fn "(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);\n}\n"}
#define GRID(axis) \
    {"grid_" axis, "", \
     "% unsigned grid_" axis "()\n{\n" \
     "    return __builtin_amdgcn_grid_size_" axis "() / __builtin_amdgcn_workgroup_size_" axis \
     "();\n}\n"}

static const EmitText texts[] = {
    /* Blocks and memory */
    {"sync_wave", "",
     "% void sync_wave()\n{\n"
     FENCE("__ATOMIC_RELEASE", "wavefront")
     "    __builtin_amdgcn_wave_barrier();\n"
     FENCE("__ATOMIC_ACQUIRE", "wavefront") "}\n"},
    {"fence_device", "",
     "% void fence_device() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, \"agent\"); }\n"},
    {"fence_system", "",
     "% void fence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, \"\"); }\n"},
    GRID("x"), GRID("y"), GRID("z"),

    /* Lanes */
    {"shuffle", "",
     "/* v of another lane; also of less than a word. */\n"
     "template <class T>\n% T shuffle(T v, int lane)\n{\n"
     "    int part[(sizeof(T) + 3) / 4] = {};\n"
     "    __builtin_memcpy(part, &v, sizeof v);\n"
     "#pragma unroll\n"
     "    for (int &x : part)\n"
     "        x = __builtin_amdgcn_ds_bpermute(lane * 4, x);\n"
     "    __builtin_memcpy(&v, part, sizeof v);\n"
     "    return v;\n}\n"},

    /* Atomics */
    ATOMIC("atomic_add", "__hip_atomic_fetch_add"), ATOMIC("atomic_and", "__hip_atomic_fetch_and"),
    ATOMIC("atomic_or", "__hip_atomic_fetch_or"), ATOMIC("atomic_xor", "__hip_atomic_fetch_xor"),
    ATOMIC("atomic_highest", "__hip_atomic_fetch_max"),
    ATOMIC("atomic_lowest", "__hip_atomic_fetch_min"),
    {"atomic_swap_if", "",
     "/* Stores v where *p is `was`; the old value. */\n"
     "template <class T>\n% T atomic_swap_if(T *p, T was, T v)\n{\n"
     "    __hip_atomic_compare_exchange_strong(p, &was, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED,\n"
     "                                         __HIP_MEMORY_SCOPE_AGENT);\n"
     "    return was;\n}\n"},

    /* Functions */
    {"exp2_ftz", "",
     "/* One instruction; results below 2^-126 are 0. */\n"
     "#if __has_builtin(__builtin_amdgcn_exp2f)\n"
     "% float exp2_ftz(float x) { return __builtin_amdgcn_exp2f(x); }\n"
     "#else\n"
     "% float exp2_ftz(float x) { return x < -126.0f ? 0.0f : __builtin_exp2f(x); }\n"
     "#endif\n"},
    {"fast_div", "",
     "% float fast_div(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }\n"},
    {"fast_rcp_f64", "", "% double fast_rcp_f64(double x) { return 1.0 / x; }\n"},
    {NULL, NULL, NULL},
};

static const char *ballot(const Emit *e)
{
    return e->m->warp == 32
               ? "/* A bit for each lane where p holds. */\n"
                 "% unsigned long long ballot(bool p) { return __builtin_amdgcn_ballot_w32(p); }\n"
               : "/* A bit for each lane where p holds. */\n"
                 "% unsigned long long ballot(bool p) { return __builtin_amdgcn_ballot_w64(p); }\n";
}

#define BARRIER \
    FENCE("__ATOMIC_RELEASE", "workgroup") \
    "    __builtin_amdgcn_s_barrier();\n" \
    FENCE("__ATOMIC_ACQUIRE", "workgroup")

/* Do threads of a block hand nothing to each other through global memory? */
static bool blocks_independent(const Emit *e)
{
    for (int i = 0; i < e->plan->nlaunch; i++) {
        const PlanLaunch *l = &e->plan->launch[i];
        if (l->grid_sync)
            return false;
        for (int k = 0; k < l->nparam; k++)
            if (l->param[k].read && l->param[k].written)
                return false;
    }
    return true;
}

/* RDNA's compilers wait at a barrier for loads of global memory, too, which ends the
 * overlap of a pipeline: the two instructions alone do where shared memory is all that
 * threads have in common. */
static const char *hip_text_barrier(const Emit *e)
{
    if (e->m->warp == 32 && blocks_independent(e))
        return "/* The block's barrier: what was stored to shared memory before it is seen behind\n"
               " * it; loads of global memory stay on their way. */\n"
               "% void sync_threads()\n{\n"
               "#ifdef __GFX11__\n"
               "    asm volatile(\"s_waitcnt lgkmcnt(0)\\n\\ts_barrier\" ::: \"memory\");\n"
               "#else\n" BARRIER "#endif\n}\n";
    return "/* The block's barrier: what was stored before it is seen behind it. */\n"
           "% void sync_threads()\n{\n" BARRIER "}\n";
}

/* What stops a thread whose assertion does not hold.  A trap ends the process that uses
 * the device: the wave ends instead, barriers do not wait for it, and the host finds the
 * record.  Blocks that meet others would wait for it for ever. */
static const char *hip_text_stop(const Emit *e)
{
    for (int i = 0; i < e->plan->nlaunch; i++)
        if (e->plan->launch[i].grid_sync)
            return "% void stop() { __builtin_trap(); }\n";
    return "/* Ends the wave; its block and the grid go on. */\n"
           "% void stop() { __builtin_amdgcn_endpgm(); }\n";
}

/* extern "C" __device__ float __ocml_atan2_f32(float, float); a function of the device
 * library: how many arguments it has, its name tells. */
static const char *ocml(Emit *e, const char *name)
{
    static const char *const two[] = {"_atan2_", "_fmod_", "_hypot_", "_nextafter_", "_pow_",
                                      "_add_", "_sub_", "_mul_", "_div_"};
    const char *t = strstr(name, "_f64") ? "double" : "float";
    int n = strstr(name, "_fma_") ? 3 : 1;
    for (size_t i = 0; i < COUNT(two); i++)
        n = strstr(name, two[i]) ? 2 : n;
    const char *args = n == 1 ? t : afmt(&e->p->ctx, n == 2 ? "%s, %s" : "%s, %s, %s", t, t, t);
    return afmt(&e->p->ctx, "extern \"C\" __device__ __attribute__((const)) %s %s(%s);\n", t, name,
                args);
}

/* "frcp_rtz_f32": 1 / x with a way to round. */
static const char *reciprocal(Emit *e, const char *name)
{
    Ctx *c = &e->p->ctx;
    const char *t = strstr(name, "_f64") ? "double" : "float";
    const char *div = emit_need(e, afmt(c, "__ocml_div_%s", name + strlen("frcp_")));
    return afmt(c, "static __device__ __forceinline__ %s %s(%s x) { return %s(1, x); }\n", t, name,
                t, div);
}

const char *hip_helper(Emit *e, const char *name)
{
    if (strncmp(name, "__ocml_", 7) == 0)
        return ocml(e, name);
    if (strncmp(name, "frcp_", 5) == 0)
        return reciprocal(e, name);
    if (strcmp(name, "ballot") == 0)
        return emit_translated(e, ballot(e));
    if (strcmp(name, "sync_threads") == 0)
        return emit_translated(e, hip_text_barrier(e));
    if (strcmp(name, "stop") == 0)
        return emit_translated(e, hip_text_stop(e));
    const char *t = emit_find(e, texts, name);
    t = t ? t : hip_mfma_helper(e, name);
    t = t ? t : emit_lanes(e, name);
    return t ? t : emit_clang(e, name);
}
