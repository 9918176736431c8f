/* lua/pyreader/convert_name.c: modules, and the names of libraries that have a counterpart. */
#include <string.h>

#include "convert.h"

/* What a call takes.  Words are Python's parameters in their order; they are given by position in Lua.
 * `*` in front: all positional arguments, in a table; if the first is a list or tuple itself, that.
 * Behind `|`: names that go into a table of options; behind `!`: what is dropped, for it says nothing here. */
static const CvLib libs[] = {
    {"torch.randn", "tl.randn", "*shape dtype ! device requires_grad generator", CKtensor},
    {"torch.rand", "tl.rand", "*shape dtype ! device requires_grad generator", CKtensor},
    {"torch.zeros", "tl.zeros", "*shape dtype ! device requires_grad", CKtensor},
    {"torch.ones", "tl.ones", "*shape dtype ! device requires_grad", CKtensor},
    {"torch.empty", "tl.empty", "*shape dtype ! device requires_grad", CKtensor},
    {"torch.full", "tl.full", "size fill_value dtype ! device requires_grad", CKtensor},
    {"torch.randint", "tl.randint", "low high size dtype ! device", CKtensor},
    {"torch.arange", "tl.arange", "start end step dtype ! device", CKtensor},
    {"torch.tensor", "tl.from_table", "data dtype ! device requires_grad", CKtensor},
    {"torch.randn_like", "tl.randn_like", "input dtype ! device", CKtensor},
    {"torch.rand_like", "tl.rand_like", "input dtype ! device", CKtensor},
    {"torch.zeros_like", "tl.zeros_like", "input dtype ! device", CKtensor},
    {"torch.ones_like", "tl.ones_like", "input dtype ! device", CKtensor},
    {"torch.empty_like", "tl.empty_like", "input dtype ! device", CKtensor},
    {"torch.full_like", "tl.full_like", "input fill_value dtype ! device", CKtensor},
    {"torch.manual_seed", "tl.manual_seed", "seed", CKnone},
    {"torch.random.manual_seed", "tl.manual_seed", "seed", CKnone},
    {"torch.cuda.manual_seed", "tl.manual_seed", "seed", CKnone},
    {"tilelang.testing.set_random_seed", "tl.manual_seed", "seed", CKnone},
    {"torch.testing.assert_close", "tl.testing.assert_close", "actual expected | rtol atol ! check_device msg", CKnone},
    {"tilelang.testing.torch_assert_close", "tl.testing.assert_close",
     "tensor_a tensor_b | rtol atol ! max_mismatched_ratio base_name ref_name verbose", CKnone},
    {"torch.allclose", "tl.testing.allclose", "input other rtol atol", CKbool},
    {"torch.equal", "tl.equal", "input other", CKbool},
    {"torch.matmul", "tl.ref.matmul", "input other", CKtensor},
    {"torch.mm", "tl.ref.matmul", "input other", CKtensor},
    {"torch.bmm", "tl.ref.matmul", "input other", CKtensor},
    {"torch.mv", "tl.ref.gemv", "input vec", CKtensor},
    {"torch.relu", "tl.ref.relu", "input", CKtensor},
    {"torch.nn.functional.relu", "tl.ref.relu", "input", CKtensor},
    {"torch.nn.functional.gelu", "tl.ref.gelu", "input", CKtensor},
    {"torch.nn.functional.silu", "tl.ref.silu", "input", CKtensor},
    {"torch.sigmoid", "tl.ref.sigmoid", "input", CKtensor},
    {"torch.tanh", "tl.ref.tanh", "input", CKtensor},
    {"torch.exp", "tl.ref.exp", "input", CKtensor},
    {"torch.exp2", "tl.ref.exp2", "input", CKtensor},
    {"torch.log", "tl.ref.log", "input", CKtensor},
    {"torch.log2", "tl.ref.log2", "input", CKtensor},
    {"torch.sqrt", "tl.ref.sqrt", "input", CKtensor},
    {"torch.rsqrt", "tl.ref.rsqrt", "input", CKtensor},
    {"torch.abs", "tl.ref.abs", "input", CKtensor},
    {"torch.sin", "tl.ref.sin", "input", CKtensor},
    {"torch.cos", "tl.ref.cos", "input", CKtensor},
    {"torch.erf", "tl.ref.erf", "input", CKtensor},
    {"torch.floor", "tl.ref.floor", "input", CKtensor},
    {"torch.ceil", "tl.ref.ceil", "input", CKtensor},
    {"torch.round", "tl.ref.round", "input", CKtensor},
    {"torch.pow", "tl.ref.pow", "input exponent", CKtensor},
    {"torch.add", "tl.ref.add", "input other", CKtensor},
    {"torch.sub", "tl.ref.sub", "input other", CKtensor},
    {"torch.mul", "tl.ref.mul", "input other", CKtensor},
    {"torch.div", "tl.ref.div", "input other", CKtensor},
    {"torch.maximum", "tl.ref.maximum", "input other", CKtensor},
    {"torch.minimum", "tl.ref.minimum", "input other", CKtensor},
    {"torch.clamp", "tl.ref.clamp", "input min max", CKtensor},
    {"torch.sum", "tl.ref.sum", "input dim", CKtensor},
    {"torch.mean", "tl.ref.mean", "input dim", CKtensor},
    {"torch.amax", "tl.ref.max", "input dim", CKtensor},
    {"torch.amin", "tl.ref.min", "input dim", CKtensor},
    {"torch.argmax", "tl.ref.argmax", "input dim", CKtensor},
    {"torch.argmin", "tl.ref.argmin", "input dim", CKtensor},
    {"torch.cumsum", "tl.ref.cumsum", "input dim", CKtensor},
    {"torch.topk", "tl.ref.topk", "input k", CKunknown},
    {"torch.transpose", "tl.ref.transpose", "input dim0 dim1", CKtensor},
    {"torch.softmax", "tl.ref.softmax", "input dim", CKtensor},
    {"torch.nn.functional.softmax", "tl.ref.softmax", "input dim", CKtensor},
    {"torch.nn.functional.log_softmax", "tl.ref.log_softmax", "input dim", CKtensor},
    {"torch.nn.functional.scaled_dot_product_attention", "tl.ref.attention",
     "query key value | scale is_causal=causal ! enable_gqa", CKtensor},
    {"torch.nn.functional.conv1d", "tl.ref.conv1d", "input weight | stride padding dilation groups", CKtensor},
    {"torch.nn.functional.conv2d", "tl.ref.conv2d", "input weight | stride padding dilation groups", CKtensor},
    {"math.sqrt", "math.sqrt", "x", CKfloat},
    {"math.exp", "math.exp", "x", CKfloat},
    {"math.log", "math.log", "x base", CKfloat},
    {"math.log2", "math.log", "x =2", CKfloat},
    {"math.log10", "math.log", "x =10", CKfloat},
    {"math.floor", "math.floor", "x", CKint},
    {"math.ceil", "math.ceil", "x", CKint},
    {"math.sin", "math.sin", "x", CKfloat},
    {"math.cos", "math.cos", "x", CKfloat},
    {"math.tan", "math.tan", "x", CKfloat},
    {"math.fabs", "math.abs", "x", CKfloat},
    {"math.pi", "math.pi", NULL, CKfloat},
    {"math.inf", "math.huge", NULL, CKfloat},
    {"tilelang.cdiv", "T.ceildiv", "a b", CKint},
    {"tilelang.utils.cdiv", "T.ceildiv", "a b", CKint},
    {"torch.float64", "\"float64\"", NULL, CKstr}, {"torch.double", "\"float64\"", NULL, CKstr},
    {"torch.float32", "\"float32\"", NULL, CKstr}, {"torch.float", "\"float32\"", NULL, CKstr},
    {"torch.float16", "\"float16\"", NULL, CKstr}, {"torch.half", "\"float16\"", NULL, CKstr},
    {"torch.bfloat16", "\"bfloat16\"", NULL, CKstr}, {"torch.int8", "\"int8\"", NULL, CKstr},
    {"torch.int16", "\"int16\"", NULL, CKstr}, {"torch.int32", "\"int32\"", NULL, CKstr},
    {"torch.int", "\"int32\"", NULL, CKstr}, {"torch.int64", "\"int64\"", NULL, CKstr},
    {"torch.long", "\"int64\"", NULL, CKstr}, {"torch.uint8", "\"uint8\"", NULL, CKstr},
    {"torch.uint16", "\"uint16\"", NULL, CKstr}, {"torch.uint32", "\"uint32\"", NULL, CKstr},
    {"torch.bool", "\"bool\"", NULL, CKstr},
    {"torch.float8_e4m3fn", "\"float8_e4m3fn\"", NULL, CKstr}, {"torch.float8_e5m2", "\"float8_e5m2\"", NULL, CKstr},
    {"sys.argv", "arg", NULL, CKobject},
};

/* Methods of tensors that take other arguments than in PyTorch, or have another name; a name with a dot is a function. */
static const CvLib methods[] = {
    {"clone", "copy", "", CKtensor}, {"float", "float", "", CKtensor}, {"half", "half", "", CKtensor},
    {"double", "double", "", CKtensor}, {"bfloat16", "bfloat16", "", CKtensor}, {"int", "int", "", CKtensor},
    {"long", "long", "", CKtensor}, {"cpu", "cpu", "", CKtensor}, {"cuda", "cuda", "", CKtensor},
    {"detach", "detach", "", CKtensor}, {"contiguous", "contiguous", "", CKtensor}, {"abs", "abs", "", CKtensor},
    {"exp", "exp", "", CKtensor}, {"sqrt", "sqrt", "", CKtensor}, {"relu", "relu", "", CKtensor},
    {"sigmoid", "sigmoid", "", CKtensor}, {"to", "to", "dtype ! device", CKtensor},
    {"sum", "sum", "dim keepdim", CKtensor}, {"mean", "mean", "dim keepdim", CKtensor},
    {"amax", "max", "dim keepdim", CKtensor}, {"amin", "min", "dim keepdim", CKtensor},
    {"max", "max", "", CKtensor}, {"min", "min", "", CKtensor}, {"argmax", "argmax", "dim", CKtensor},
    {"item", "item", "", CKnumber}, {"tolist", "totable", "", CKlist}, {"size", "size", "dim", CKint},
    {"dim", "dim", "", CKint}, {"unsqueeze", "unsqueeze", "dim", CKtensor}, {"squeeze", "squeeze", "dim", CKtensor},
    {"flatten", "flatten", "", CKtensor}, {"all", "all", "", CKbool}, {"any", "any", "", CKbool},
    {"transpose", "transpose", "dim0 dim1", CKtensor}, {"t", "transpose", "=0 =1", CKtensor},
    {"softmax", "tl.ref.softmax", "dim", CKtensor}, {"log_softmax", "tl.ref.log_softmax", "dim", CKtensor},
    {"matmul", "tl.ref.matmul", "other", CKtensor},
    {"get_profiler", "get_profiler", "tensor_supply_type", CKobject}, /* of kernels */
};

static const struct { const char *path; const char *lua; } modules[] = {
    {"tilelang", "tl"}, {"tilelang.language", "T"}, {"torch", NULL}, {"math", "math"}, {"typing", NULL},
    {"tilelang.testing", "tl.testing"}, {"__future__", NULL}, {"functools", NULL}, {"tilelang.autotuner", NULL},
    {"torch.nn.functional", NULL}, {"tilelang.profiler", NULL}, {"tilelang.utils", NULL}, {"tilelang.layout", NULL},
    {"tilelang.intrinsics", NULL}, {"tilelang.transform", NULL}, {"torch.nn", NULL}, {"sys", NULL}, {"itertools", NULL},
    {"tilelang.language.ast", NULL}, {"torch.testing", NULL}, {"tilelang.engine", NULL}, {"tilelang.jit", NULL}, {"tilelang.math", NULL}, {"tilelang.tileop.base", NULL},
    {"collections.abc", NULL}, {"tilelang.cache", NULL}, {"tilelang.utils.tensor", NULL},
};

/* Names of tilelang that are tl's. */
static const char *const tl_names[] = {
    "jit", "lazy_jit", "compile", "par_compile", "autotune", "disable_cache", "enable_cache", "is_cache_enabled",
    "set_log_level", "PassConfigKey", "__version__",
};

const CvLib *cv_lib(const char *path)
{
    for (size_t i = 0; path && i < COUNT(libs); i++)
        if (strcmp(libs[i].path, path) == 0)
            return &libs[i];
    return NULL;
}

const CvLib *cv_method(const char *name, enum CvKind of)
{
    if (of != CKtensor && of != CKunknown)
        return NULL;
    for (size_t i = 0; i < COUNT(methods); i++)
        if (strcmp(methods[i].path, name) == 0)
            return &methods[i];
    return NULL;
}

bool cv_known_module(const char *path)
{
    for (size_t i = 0; i < COUNT(modules); i++)
        if (strcmp(modules[i].path, path) == 0)
            return true;
    return false;
}

/* "tilelang.language.x" is "T.x"; some names stand in several modules. */
static const char *canonical(Cv *p, const char *path)
{
    static const struct { const char *from, *to; } moved[] = {
        {"tilelang.language.", "T."}, {"tilelang.autotuner.autotune", "tilelang.autotune"},
        {"tilelang.transform.PassConfigKey", "tilelang.PassConfigKey"},
        {"tilelang.tileop.base.GemmWarpPolicy", "T.GemmWarpPolicy"}, {"tilelang.profiler.TensorSupplyType", "tilelang.TensorSupplyType"},
        {"tilelang.utils.tensor.TensorSupplyType", "tilelang.TensorSupplyType"}, {"tilelang.tileop.base.", "T."},
        {"tilelang.math.next_power_of_2", "tilelang.next_power_of_2"}, {"tilelang.layout.", "T."}, {"tilelang.intrinsics.", "T."}, {"tilelang.jit.jit", "tilelang.jit"},
    };
    if (strcmp(path, "tilelang.language") == 0)
        return "T";
    for (size_t i = 0; i < COUNT(moved); i++) {
        size_t n = strlen(moved[i].from);
        if (strncmp(moved[i].from, path, n) == 0)
            return afmt(p->c, "%s%s", moved[i].to, path + n);
    }
    return path;
}

/* What `from tilelang.autotuner import *` and its like bring. */
static const char *starred(const char *name)
{
    return strcmp(name, "autotune") == 0 ? "tilelang.autotune" : NULL;
}

const char *cv_path(Cv *p, const PyNode *n)
{
    if (n->kind == PYName) {
        const CvVar *v = cv_find(p, p->scope, n->text);
        return v->path ? canonical(p, v->path) : !v->source ? starred(n->text) : NULL;
    }
    if (n->kind != PYAttribute)
        return NULL;
    const char *of = cv_path(p, n->a);
    return of ? canonical(p, afmt(p->c, "%s.%s", of, n->text)) : NULL;
}

const char *cv_lua_path(Cv *p, const char *path)
{
    const CvLib *lib = cv_lib(path);
    if (lib)
        return lib->lua;
    if (strcmp(path, "T") == 0 || strncmp(path, "T.", 2) == 0)
        return path;
    for (size_t i = 0; i < COUNT(modules); i++)
        if (modules[i].lua && strcmp(modules[i].path, path) == 0)
            return modules[i].lua;
    if (strncmp(path, "tilelang.", 9) != 0)
        return NULL;
    if (strncmp(path, "tilelang.TensorSupplyType.", 26) == 0)
        return afmt(p->c, "\"%s\"", path + 26);
    size_t n = strcspn(path + 9, ".");
    for (size_t i = 0; i < COUNT(tl_names); i++)
        if (strlen(tl_names[i]) == n && strncmp(tl_names[i], path + 9, n) == 0)
            return afmt(p->c, "tl.%s", path + 9);
    return NULL;
}

/* Names that the printed text uses: variables of these names get another. */
static bool ours(const char *s)
{
    static const char *const words[] = {
        "tl", "T", "math", "table", "print", "error", "assert", "tostring", "tonumber", "ipairs", "arg", "type",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i], s) == 0)
            return true;
    return false;
}

static bool taken(const Cv *p, const char *s)
{
    for (const CvVar *v = p->var; v; v = v->next)
        if (strcmp(v->v->name, s) == 0)
            return true;
    return false;
}

const char *cv_lua_name(Cv *p, const char *name)
{
    const char *lua = strcmp(name, "self") == 0 ? name : py_lua_name(p->c, name);
    if (lua == name && ours(name))
        lua = afmt(p->c, "%s_", name);
    while (lua != name && taken(p, lua))
        lua = afmt(p->c, "%s_", lua);
    return lua;
}
