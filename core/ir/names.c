/* core/ir/names.c: identifiers of printed text: what a name may not be, and names that
 * nobody else has. */
#include <ctype.h>
#include <string.h>

#include "ir.h"
#include "names.h"

/* Words of C++, names that the compilers or the dialects' texts know. */
static const char *const words[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "class", "compl", "const", "const_cast", "constexpr", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
    "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
    "xor", "xor_eq", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "clock",
    "clock64", "printf", "assert", "malloc", "free", "memcpy", "memset", "min", "max", "abs",
    "llabs", "half", "smem", "main", "linux", "unix", "NULL", "size_t", "char1", "char2", "char3",
    "char4", "f16", "bf16", "e4m3", "e5m2", "f32", "inf", "not_a_number", "words2", "words4",
    "record", "assume", "elect", "TensorMap", "shared_address", "hold", "cbrt", "expm1", "fabs",
    "fma", "fmax", "fmin", "lgamma", "tgamma", "logb", "norm", "remainder", "rint", "signbit",
    "fmaxf", "fminf", "floorf", "expf", "logf", "sqrtf", "float1", "float2", "float3", "float4",
    "double2", "int1", "int2", "int3", "int4", "uint", "uint1", "uint2", "uint3", "uint4", "short2",
    "short4", "ushort", "ushort2", "uchar2", "long2", "ulong", "tex1D", "surf2Dread", "any",
    "words1", "words_half", "bits_of", "float_of", "bits_of_double", "double_of", "lead_zeros",
    "lead_zeros_ll", "lesser", "greater", "abs_i32", "abs_i64", "ballot", "here", "shuffle", "shfl",
    "shfl_xor", "shfl_up", "shfl_down", "lane_group", "all_lanes", "match_any", "match_all",
    "block_count", "sync_threads", "sync_wave", "fence_device", "fence_system", "grid_x", "grid_y",
    "grid_z", "fast_div", "halfs4", "halfs16", "shorts4", "shorts16", "ints4", "ints8", "floats2",
    "floats4", "floats8", "floats16", "doubles4",
};

/* Macros of the headers that compilers include unasked (nvcc does), but for those of a
 * family below. */
static const char *const macros[] = {
    "ADJ_ESTERROR", "ADJ_FREQUENCY", "ADJ_MAXERROR", "ADJ_MICRO", "ADJ_NANO", "ADJ_OFFSET",
    "ADJ_OFFSET_SINGLESHOT", "ADJ_OFFSET_SS_READ", "ADJ_SETOFFSET", "ADJ_STATUS", "ADJ_TAI",
    "ADJ_TICK", "ADJ_TIMECONST", "AIO_PRIO_DELTA_MAX", "BC_BASE_MAX", "BC_DIM_MAX", "BC_SCALE_MAX",
    "BC_STRING_MAX", "BIG_ENDIAN", "BOOL_MAX", "BOOL_WIDTH", "BUFSIZ", "BYTE_ORDER",
    "CHARCLASS_NAME_MAX", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "CHAR_WIDTH", "CLOCKS_PER_SEC",
    "CLOCK_BOOTTIME", "CLOCK_BOOTTIME_ALARM", "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_COARSE",
    "CLOCK_MONOTONIC_RAW", "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_REALTIME", "CLOCK_REALTIME_ALARM",
    "CLOCK_REALTIME_COARSE", "CLOCK_TAI", "CLOCK_THREAD_CPUTIME_ID", "COLL_WEIGHTS_MAX",
    "CUDARTAPI", "CUDARTAPI_CDECL", "CUDART_CB", "CUDART_DEVICE", "CUDART_VERSION",
    "CUDA_DOUBLE_MATH_FUNCTIONS", "CUDA_IPC_HANDLE_SIZE", "CU_UUID_HAS_BEEN_DEFINED",
    "DELAYTIMER_MAX", "EOF", "EXIT_FAILURE", "EXIT_SUCCESS", "EXPR_NEST_MAX", "FD_CLR", "FD_ISSET",
    "FD_SET", "FD_SETSIZE", "FD_ZERO", "FILENAME_MAX", "FOPEN_MAX", "FP_ILOGB0", "FP_ILOGBNAN",
    "FP_INFINITE", "FP_INT_DOWNWARD", "FP_INT_TONEAREST", "FP_INT_TONEARESTFROMZERO",
    "FP_INT_TOWARDZERO", "FP_INT_UPWARD", "FP_LLOGB0", "FP_LLOGBNAN", "FP_NAN", "FP_NORMAL",
    "FP_SUBNORMAL", "FP_ZERO", "HOST_NAME_MAX", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL",
    "HUGE_VAL_F32", "HUGE_VAL_F32X", "HUGE_VAL_F64", "HUGE_VAL_F64X", "INFINITY", "INT_MAX",
    "INT_MIN", "INT_WIDTH", "IOV_MAX", "LINE_MAX", "LITTLE_ENDIAN", "LLONG_MAX", "LLONG_MIN",
    "LLONG_WIDTH", "LOGIN_NAME_MAX", "LONG_BIT", "LONG_LONG_MAX", "LONG_LONG_MIN", "LONG_MAX",
    "LONG_MIN", "LONG_WIDTH", "L_ctermid", "L_cuserid", "L_tmpnam", "MATH_ERREXCEPT", "MATH_ERRNO",
    "MAXFLOAT", "MAX_CANON", "MAX_INPUT", "MB_CUR_MAX", "MB_LEN_MAX", "MOD_CLKA", "MOD_CLKB",
    "MOD_ESTERROR", "MOD_FREQUENCY", "MOD_MAXERROR", "MOD_MICRO", "MOD_NANO", "MOD_OFFSET",
    "MOD_STATUS", "MOD_TAI", "MOD_TIMECONST", "MQ_PRIO_MAX", "M_1_PI", "M_1_PIf", "M_1_PIf32",
    "M_1_PIf32x", "M_1_PIf64", "M_1_PIf64x", "M_1_PIl", "M_2_PI", "M_2_PIf", "M_2_PIf32",
    "M_2_PIf32x", "M_2_PIf64", "M_2_PIf64x", "M_2_PIl", "M_2_SQRTPI", "M_2_SQRTPIf",
    "M_2_SQRTPIf32", "M_2_SQRTPIf32x", "M_2_SQRTPIf64", "M_2_SQRTPIf64x", "M_2_SQRTPIl", "M_E",
    "M_Ef", "M_Ef32", "M_Ef32x", "M_Ef64", "M_Ef64x", "M_El", "M_LN10", "M_LN10f", "M_LN10f32",
    "M_LN10f32x", "M_LN10f64", "M_LN10f64x", "M_LN10l", "M_LN2", "M_LN2f", "M_LN2f32", "M_LN2f32x",
    "M_LN2f64", "M_LN2f64x", "M_LN2l", "M_LOG10E", "M_LOG10Ef", "M_LOG10Ef32", "M_LOG10Ef32x",
    "M_LOG10Ef64", "M_LOG10Ef64x", "M_LOG10El", "M_LOG2E", "M_LOG2Ef", "M_LOG2Ef32", "M_LOG2Ef32x",
    "M_LOG2Ef64", "M_LOG2Ef64x", "M_LOG2El", "M_PI", "M_PI_2", "M_PI_2f", "M_PI_2f32", "M_PI_2f32x",
    "M_PI_2f64", "M_PI_2f64x", "M_PI_2l", "M_PI_4", "M_PI_4f", "M_PI_4f32", "M_PI_4f32x",
    "M_PI_4f64", "M_PI_4f64x", "M_PI_4l", "M_PIf", "M_PIf32", "M_PIf32x", "M_PIf64", "M_PIf64x",
    "M_PIl", "M_SQRT1_2", "M_SQRT1_2f", "M_SQRT1_2f32", "M_SQRT1_2f32x", "M_SQRT1_2f64",
    "M_SQRT1_2f64x", "M_SQRT1_2l", "M_SQRT2", "M_SQRT2f", "M_SQRT2f32", "M_SQRT2f32x", "M_SQRT2f64",
    "M_SQRT2f64x", "M_SQRT2l", "NAME_MAX", "NAN", "NFDBITS", "NGROUPS_MAX", "NL_ARGMAX",
    "NL_LANGMAX", "NL_MSGMAX", "NL_NMAX", "NL_SETMAX", "NL_TEXTMAX", "NZERO", "PATH_MAX",
    "PDP_ENDIAN", "PIPE_BUF", "PTHREAD_DESTRUCTOR_ITERATIONS", "PTHREAD_KEYS_MAX",
    "PTHREAD_STACK_MIN", "P_tmpdir", "RAND_MAX", "RENAME_EXCHANGE", "RENAME_NOREPLACE",
    "RENAME_WHITEOUT", "RE_DUP_MAX", "RTSIG_MAX", "SCHAR_MAX", "SCHAR_MIN", "SCHAR_WIDTH",
    "SEEK_CUR", "SEEK_DATA", "SEEK_END", "SEEK_HOLE", "SEEK_SET", "SEM_VALUE_MAX", "SHRT_MAX",
    "SHRT_MIN", "SHRT_WIDTH", "SNAN", "SNANF", "SNANF32", "SNANF32X", "SNANF64", "SNANF64X",
    "SNANL", "SSIZE_MAX", "STA_CLK", "STA_CLOCKERR", "STA_DEL", "STA_FLL", "STA_FREQHOLD",
    "STA_INS", "STA_MODE", "STA_NANO", "STA_PLL", "STA_PPSERROR", "STA_PPSFREQ", "STA_PPSJITTER",
    "STA_PPSSIGNAL", "STA_PPSTIME", "STA_PPSWANDER", "STA_RONLY", "STA_UNSYNC", "TIMER_ABSTIME",
    "TIME_UTC", "TMP_MAX", "TTY_NAME_MAX", "UCHAR_MAX", "UCHAR_WIDTH", "UINT_MAX", "UINT_WIDTH",
    "ULLONG_MAX", "ULLONG_WIDTH", "ULONG_LONG_MAX", "ULONG_MAX", "ULONG_WIDTH", "USHRT_MAX",
    "USHRT_WIDTH", "WCONTINUED", "WEXITED", "WEXITSTATUS", "WIFCONTINUED", "WIFEXITED",
    "WIFSIGNALED", "WIFSTOPPED", "WNOHANG", "WNOWAIT", "WORD_BIT", "WSTOPPED", "WSTOPSIG",
    "WTERMSIG", "WUNTRACED", "XATTR_LIST_MAX", "XATTR_NAME_MAX", "XATTR_SIZE_MAX", "alloca",
    "assert_perror", "be16toh", "be32toh", "be64toh", "htobe16", "htobe32", "htobe64", "htole16",
    "htole32", "htole64", "isalnum_l", "isalpha_l", "isascii", "isascii_l", "isblank_l",
    "iscntrl_l", "isdigit_l", "isgraph_l", "islower_l", "isprint_l", "ispunct_l", "isspace_l",
    "issubnormal", "isupper_l", "isxdigit_l", "le16toh", "le32toh", "le64toh", "math_errhandling",
    "offsetof", "stderr", "stdin", "stdout", "strdupa", "strndupa", "toascii", "toascii_l",
};

/* Families of helpers and of macros: any name that begins so. */
static const char *const families[] = {
    "__", "atomic_", "bar_", "bulk_", "cluster_", "cp_async", "fence_", "floordiv_", "floormod_",
    "truncdiv_", "truncmod_", "ldmatrix", "stmatrix", "mbar_", "mma_", "setmaxnreg", "tma_",
    "warp_reduce_", "wgmma_", "f16_", "f16x2", "bf16_", "bf16x2", "e4m3_", "e4m3x2", "e5m2_",
    "e5m2x2", "tf32_", "to_odd_", "i4_", "u4_", "atomic", "cuda", "mfma_", "wmma_", "mxc_", "fnuz_",
    "async_copy_", "trunc_i", "trunc_u", "float_rz_", "frcp_", "frsqrt_", "fast_rcp", "exp2_",
};

static bool is_in(const char *const *list, size_t n, const char *s)
{
    for (size_t i = 0; i < n; i++)
        if (list[i][0] == s[0] && strcmp(list[i], s) == 0)
            return true;
    return false;
}

/* May no user's name be s? */
static bool name_reserved(const char *s)
{
    for (int i = 1; i < NIntr; i++) { /* exp, expf, sqrt ..: builtins of the compiler */
        const char *t = intrinfo[i].text;
        size_t n = strlen(t);
        if (t[0] == s[0] && strncmp(t, s, n) == 0 && (!s[n] || strcmp(s + n, "f") == 0))
            return true;
    }
    return is_in(words, COUNT(words), s) || is_in(macros, COUNT(macros), s);
}

static bool in_family(const char *s)
{
    for (size_t i = 0; i < COUNT(families); i++)
        if (families[i][0] == s[0] && strncmp(families[i], s, strlen(families[i])) == 0)
            return true;
    return false;
}

char *name_identifier(Ctx *c, const char *s, char digit)
{
    const char *t = s ? s : "";
    char head[2] = {!t[0] || isdigit((unsigned char)t[0]) ? digit : 0, 0};
    char *out = afmt(c, "%s%s", head, t);
    for (char *k = out; *k; k++)
        if (!isascii((unsigned char)*k) || (!isalnum((unsigned char)*k) && *k != '_'))
            *k = '_';
    return out;
}

/* want as an identifier that no compiler knows. */
static const char *free_identifier(Ctx *c, const char *want)
{
    const char *base = name_identifier(c, want, 'v');
    if (in_family(base)) /* whatever stands behind it: only another head helps */
        base = afmt(c, base[0] == '_' ? "v%s" : "v_%s", base);
    return name_reserved(base) ? afmt(c, "%s_", base) : base;
}

/* Names in scope ----------------------------------------------------------- */

static uint32_t *names_bucket(const Names *q, const char *s)
{
    return &q->bucket[hash_bytes((Hash){0, 0}, s, strlen(s)).a & (q->nbucket - 1)];
}

static void names_rehash(Ctx *c, Names *q)
{
    q->nbucket = q->nbucket ? 2 * q->nbucket : 64;
    q->bucket = anew(c, q->nbucket * sizeof *q->bucket);
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t *b = names_bucket(q, q->name[i].text);
        q->name[i].chain = *b;
        *b = i + 1;
    }
}

static NameEntry *name_slot(const Names *q, const char *s)
{
    for (uint32_t i = q->nbucket ? *names_bucket(q, s) : 0; i; i = q->name[i - 1].chain)
        if (strcmp(q->name[i - 1].text, s) == 0)
            return &q->name[i - 1];
    return NULL;
}

static const char *name_enter(Ctx *c, Names *q, const char *s, uint32_t of, uint32_t number)
{
    if (q->n * 2 >= q->nbucket)
        names_rehash(c, q);
    agrow(c, &q->name, &q->cap, q->n + 1, sizeof *q->name);
    uint32_t *b = names_bucket(q, s);
    q->name[q->n] = (NameEntry){.text = s, .chain = *b, .of = of, .number = number, .next = 2};
    *b = ++q->n;
    return s;
}

const char *name_take(Ctx *c, Names *q, const char *base)
{
    const char *s = base;
    NameEntry *first = name_slot(q, base);
    if (!first)
        return name_enter(c, q, base, 0, 0);
    uint32_t of = (uint32_t)(first - q->name) + 1, i = first->next;
    do
        s = afmt(c, "%s_%d", base, (int)i++);
    while (name_slot(q, s) || name_reserved(s));
    first->next = i;
    return name_enter(c, q, s, of, i - 1);
}

const char *name_fresh(Ctx *c, Names *q, const char *want)
{
    return name_take(c, q, free_identifier(c, want));
}

/* Newest first, so that each is at the head of its chain. */
void name_forget(Names *q, uint32_t mark)
{
    while (q->n > mark) {
        const NameEntry *k = &q->name[--q->n];
        *names_bucket(q, k->text) = k->chain;
        if (k->of && k->of <= mark)
            q->name[k->of - 1].next = k->number;
    }
}
