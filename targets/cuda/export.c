/* targets/cuda/export.c: a kernel as C that needs the driver alone: a header, the
 * launcher behind it, and a program that shows its use.
 *
 * The launcher does what load.c and launch.c do, from the same Plan: functions of
 * the cubin, tensor maps, workspaces, grids.  Its names begin with the kernel's. */
#include <string.h>

#include "core/ir/names.h"
#include "cuda.h"

typedef struct Writer Writer;
struct Writer {
    Prog *p;
    const Plan *plan;
    const char *name;
    Str *out;
    const char **var, **buf;     /* C names by number; NULL: none yet */
    Names names;
};

/* Names --------------------------------------------------------------------- */

/* Names that the text uses itself. */
static const char *const own[] = {
    "kernel", "stream", "r", "side", "grid", "args", "config", "attribute", "dims", "strides",
    "box", "step", "argc", "argv", "device", "context", "from", "to", "ms", "i", "fill", "check",
    "tensor", "workspace", "floor_div", "floor_mod", "least", "greatest", "atoi", "printf", "main",
};

static void names_begin(Writer *w)
{
    for (size_t i = 0; i < COUNT(own); i++)
        name_take(&w->p->ctx, &w->names, own[i]);
    for (int i = 0; i < w->plan->nmap; i++)
        name_take(&w->p->ctx, &w->names, w->plan->map[i].name);
}

/* The user's name as an identifier of its own. */
static const char *c_name(Writer *w, const char *s)
{
    return name_fresh(&w->p->ctx, &w->names, s);
}

static const char *var_name(Writer *w, uint32_t v)
{
    return w->var[v] ? w->var[v] : (w->var[v] = c_name(w, w->p->var[v].name));
}

static const char *buf_name(Writer *w, uint32_t b)
{
    return w->buf[b] ? w->buf[b] : (w->buf[b] = c_name(w, w->p->buf[b].name));
}

/* Host expressions ----------------------------------------------------------- */

static const char *scalar_type(enum Dtype dt)
{
    switch (dtypeinfo[dt].cls) {
    case 'F':
        return dt == DTf64 ? "double" : dt == DTf32 || dt == DTtf32 ? "float" : "unsigned short";
    case 'B': return "unsigned char";
    default: break;
    }
    bool sign = dtypeinfo[dt].cls == 'I';
    switch (dtypeinfo[dt].bits) {
    case 64: return sign ? "long long" : "unsigned long long";
    case 32: return sign ? "int" : "unsigned";
    case 16: return sign ? "short" : "unsigned short";
    default: return sign ? "signed char" : "unsigned char";
    }
}

static const char *host(Writer *w, Ex e);

static const char *host_call(Writer *w, const char *fn, const Expr *x)
{
    return afmt(&w->p->ctx, "%s(%s, %s)", fn, host(w, x->arg[0]), host(w, x->arg[1]));
}

/* A cast to an integer type that may not hold the value drops what does not fit. */
static const char *host_cast(Writer *w, const Expr *x)
{
    const char *value = host(w, x->arg[0]);
    const DtypeInfo *to = &dtypeinfo[x->dt], *from = &dtypeinfo[ex_at(w->p, x->arg[0])->dt];
    if (to->cls == 'B')
        return afmt(&w->p->ctx, "(%s != 0)", value);
    bool holds = to->bits == 64 || to->bits > from->bits || (to->bits == from->bits && to->cls == from->cls);
    return holds ? value : afmt(&w->p->ctx, "(long long)(%s)%s", scalar_type((enum Dtype)x->dt), value);
}

/* Index arithmetic over dims and scalars as C on long long. */
static const char *host(Writer *w, Ex e)
{
    static const char *const sign[NXop] = {
        [Xadd] = "+", [Xsub] = "-", [Xmul] = "*", [Xlt] = "<", [Xle] = "<=", [Xeq] = "==",
        [Xne] = "!=", [Xand] = "&&", [Xor] = "||", [Xband] = "&", [Xbor] = "|", [Xbxor] = "^",
        [Xshl] = "<<", [Xshr] = ">>", [Xtdiv] = "/", [Xtmod] = "%",
    };
    const Expr *x = ex_at(w->p, e);
    Ctx *c = &w->p->ctx;
    switch ((enum Xop)x->op) {
    case Xint: return afmt(c, "%lldLL", (long long)x->i);
    case Xvar: return var_name(w, x->sym);
    case Xfdiv: return host_call(w, "floor_div", x);
    case Xfmod: return host_call(w, "floor_mod", x);
    case Xmin: return host_call(w, "least", x);
    case Xmax: return host_call(w, "greatest", x);
    case Xcast: return host_cast(w, x);
    case Xnot: return afmt(c, "!%s", host(w, x->arg[0]));
    case Xselect:
        return afmt(c, "(%s ? %s : %s)", host(w, x->arg[0]), host(w, x->arg[1]),
                    host(w, x->arg[2]));
    default:
        if (!sign[x->op])
            diag_fail(c, E_bug, (Loc){0, 0, 0}, "a size of the launch has no C", NULL);
        return afmt(c, "(%s %s %s)", host(w, x->arg[0]), sign[x->op], host(w, x->arg[1]));
    }
}

/* Parameters -------------------------------------------------------------------- */

/* The C parameters of NAME_launch: the program's, in the user's order, then dims. */
static const char *cuda_export_parameters(Writer *w)
{
    const Prog *p = w->p;
    Ctx *c = &w->p->ctx;
    const char *t = "";
    for (uint32_t i = 0; i < p->nparam; i++) {
        const Param *a = &p->param[i];
        t = a->scalar ? afmt(c, "%s, %s %s", t, scalar_type((enum Dtype)p->var[a->id].dt),
                             var_name(w, a->id))
                      : afmt(c, "%s, CUdeviceptr %s", t, buf_name(w, a->id));
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            t = afmt(c, "%s, int %s", t, var_name(w, v));
    return t;
}

/* "M, 128": with the names of the parameters. */
static const char *list_text(Writer *w, const Ex *e, int n)
{
    Ctx *c = &w->p->ctx;
    const char *t = "";
    int64_t v;
    for (int d = 0; d < n; d++)
        t = x_isint(w->p, e[d], &v) ? afmt(c, "%s%s%lld", t, d ? ", " : "", (long long)v)
                                    : afmt(c, "%s%s%s", t, d ? ", " : "", host(w, e[d]));
    return t;
}

/* Header ------------------------------------------------------------------------- */

static void cuda_export_header(Writer *w)
{
    const Prog *p = w->p;
    Str *o = w->out;
    const char *n = w->name;
    str_fmt(o, "/* %s.h: the kernel %s, written by moontile.  Needs cuda.h and libcuda only. */\n",
            n, n);
    str_fmt(o, "#ifndef %s_KERNEL_H\n#define %s_KERNEL_H\n\n#include <cuda.h>\n\n", n, n);
    str_puts(o, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    str_fmt(o, "typedef struct %s_kernel %s_kernel;\n\n", n, n);
    str_fmt(o, "/* Loads the cubin at this path into the current context. */\n"
               "CUresult %s_load(%s_kernel **kernel, const char *cubin);\n", n, n);
    str_fmt(o, "void %s_unload(%s_kernel *kernel);\n\n/* Enqueues one run:\n", n, n);
    for (uint32_t i = 0; i < p->nparam; i++) {
        const Param *a = &p->param[i];
        const Buf *b = &p->buf[a->id];
        if (a->scalar)
            continue;
        str_fmt(o, " *   %s  %s[%s]", buf_name(w, a->id), dtypeinfo[b->dt].name,
                list_text(w, b->shape, b->ndim));
        if (b->ndim && b->stride[0])
            str_fmt(o, " with strides [%s]", list_text(w, b->stride, b->ndim));
        str_fmt(o, "%s\n", b->out ? ", written" : "");
    }
    str_fmt(o, " * Tensors are row-major where they have no strides, and aligned to 16 bytes; sizes\n"
               " * are 1 or more. */\n"
               "CUresult %s_launch(%s_kernel *kernel, CUstream stream%s);\n\n",
            n, n, cuda_export_parameters(w));
    str_puts(o, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

/* Launcher ------------------------------------------------------------------------- */

/* Functions of host(): one is there when the text has a call, its own or one that needs it. */
static const struct { const char *name, *call, *needed, *text; } helper[] = {
    {"floor_div", "floor_div(", "floor_mod(", "a / b - (a % b != 0 && (a < 0) != (b < 0))"},
    {"floor_mod", "floor_mod(", "floor_mod(", "a - floor_div(a, b) * b"},
    {"least", "least(", "least(", "a < b ? a : b"},
    {"greatest", "greatest(", "greatest(", "a > b ? a : b"},
};

static void helpers(Str *o, const char *text)
{
    for (size_t i = 0; i < COUNT(helper); i++)
        if (strstr(text, helper[i].call) || strstr(text, helper[i].needed))
            str_fmt(o, "static long long %s(long long a, long long b)\n{\n    return %s;\n}\n\n",
                    helper[i].name, helper[i].text);
}

static const char *map_type(enum Dtype dt)
{
    switch (dt) {
    case DTf16: return "FLOAT16";
    case DTbf16: return "BFLOAT16";
    case DTf32: case DTtf32: return "FLOAT32";
    case DTf64: return "FLOAT64";
    case DTi32: return "INT32";
    case DTu32: return "UINT32";
    case DTi64: return "INT64";
    case DTu64: return "UINT64";
    case DTi16: case DTu16: return "UINT16";
    default: return "UINT8";
    }
}

static Ex cuda_export_stride_of(Writer *w, const Buf *b, int d)
{
    if (b->stride[0])
        return b->stride[d];
    Ex s = x_int(w->p, DTi64, 1);
    for (int i = b->ndim - 1; i > d; i--)
        s = x_bin(w->p, Xmul, s, x_cast(w->p, DTi64, b->shape[i]));
    return s;
}

static const char *pointer_of(Writer *w, uint32_t buf)
{
    for (int i = 0; i < w->plan->nwork; i++)
        if (w->plan->work[i].buf == buf)
            return afmt(&w->p->ctx, "kernel->work[%d]", i);
    return buf_name(w, buf);
}

/* Driver order: innermost dimension first. */
static void tensor_map(Writer *w, int i)
{
    const PlanMap *m = &w->plan->map[i];
    const Buf *b = &w->p->buf[m->buf];
    Str *o = w->out;
    int n = m->ndim, bytes = dtypeinfo[b->dt].bits / 8;
    str_fmt(o, "    {\n        cuuint64_t dims[] = {");
    for (int d = n - 1; d >= 0; d--)
        str_fmt(o, "%s%s", d < n - 1 ? ", " : "", host(w, b->shape[d]));
    str_puts(o, "};\n        cuuint64_t strides[] = {");
    for (int d = n - 2; d >= 0; d--)
        str_fmt(o, "%s%s * %d", d < n - 2 ? ", " : "", host(w, cuda_export_stride_of(w, b, d)),
                bytes);
    str_fmt(o, "%s};\n        cuuint32_t box[] = {", n == 1 ? "0" : "");
    for (int d = n - 1; d >= 0; d--)
        str_fmt(o, "%s%d", d < n - 1 ? ", " : "", (int)m->box[d]);
    str_puts(o, "}, step[] = {");
    for (int d = 0; d < n; d++)
        str_puts(o, d ? ", 1" : "1");
    str_fmt(o, "};\n        r = cuTensorMapEncodeTiled(&%s, CU_TENSOR_MAP_DATA_TYPE_%s, %d,\n"
               "            (void *)(size_t)%s, dims, strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,\n"
               "            CU_TENSOR_MAP_SWIZZLE_%s, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,\n"
               "            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n",
            m->name, map_type((enum Dtype)b->dt), n, pointer_of(w, m->buf),
            m->swizzle == 128 ? "128B" : m->swizzle == 64 ? "64B" : m->swizzle == 32 ? "32B" : "NONE");
    str_puts(o, "        if (r != CUDA_SUCCESS)\n            return r;\n    }\n");
}

static const char *cuda_export_bytes_of(Writer *w, const Buf *b)
{
    Ctx *c = &w->p->ctx;
    const char *t = afmt(c, "%dLL", dtypeinfo[b->dt].bits), *last = "1";
    bool strided = b->ndim && b->stride[0];
    for (int d = 0; d < b->ndim; d++)
        if (strided)
            last = afmt(c, "%s + (%s - 1) * %s", last, host(w, b->shape[d]), host(w, b->stride[d]));
        else
            t = afmt(c, "%s * %s", t, host(w, b->shape[d]));
    if (strided)
        t = afmt(c, "%s * (%s)", t, last);
    return afmt(c, "(size_t)((%s + 7) / 8)", t);
}

static bool cuda_export_writes_out(const PlanLaunch *l)
{
    for (int i = 0; i < l->nparam; i++)
        if (l->param[i].kind == PKout)
            return true;
    return false;
}

static void cuda_export_state(Writer *w)
{
    Str *o = w->out;
    const Plan *q = w->plan;
    str_fmt(o, "struct %s_kernel {\n    CUmodule module;\n    CUfunction function[%d];\n", w->name,
            q->nlaunch);
    if (q->nwork)
        str_fmt(o, "    CUdeviceptr work[%d]; /* workspaces */\n"
                   "    size_t bytes[%d];\n", q->nwork, q->nwork);
    str_puts(o, "    CUdeviceptr side; /* of prints, which nobody reads here, and grid counters */\n");
    str_puts(o, "};\n\nenum { SideBytes = 1 << 20, GridBytes = 256 };\n\n");
}

static void loader(Writer *w)
{
    Str *o = w->out;
    const Plan *q = w->plan;
    const char *n = w->name;
    str_fmt(o, "CUresult %s_load(%s_kernel **kernel, const char *cubin)\n{\n", n, n);
    str_fmt(o, "    %s_kernel *k = calloc(1, sizeof *k);\n    CUresult r;\n    *kernel = NULL;\n",
            n);
    str_puts(o, "    if (!k)\n        return CUDA_ERROR_OUT_OF_MEMORY;\n"
                "    if ((r = cuModuleLoad(&k->module, cubin)) != CUDA_SUCCESS)\n"
                "        goto failed;\n");
    for (int i = 0; i < q->nlaunch; i++) {
        const PlanLaunch *l = &q->launch[i];
        str_fmt(o, "    if ((r = cuModuleGetFunction(&k->function[%d], k->module, \"%s\")) != CUDA_SUCCESS)\n"
                   "        goto failed;\n", i, l->name);
        str_fmt(o, "    if ((r = cuFuncSetAttribute(k->function[%d],\n"
                   "            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, %lld)) != CUDA_SUCCESS)\n"
                   "        goto failed;\n", i, (long long)l->shared);
    }
    str_fmt(o, "    if ((r = cuMemAlloc(&k->side, SideBytes + GridBytes)) != CUDA_SUCCESS)\n"
               "        goto failed;\n"
               "    *kernel = k;\n    return CUDA_SUCCESS;\nfailed:\n    %s_unload(k);\n"
               "    return r;\n}\n\n", n);
    str_fmt(o, "void %s_unload(%s_kernel *k)\n{\n    if (!k)\n        return;\n", n, n);
    if (q->nwork)
        str_fmt(o, "    for (int i = 0; i < %d; i++)\n        if (k->work[i])\n"
                   "            cuMemFree(k->work[i]);\n", q->nwork);
    str_puts(o, "    if (k->side)\n        cuMemFree(k->side);\n    if (k->module)\n"
                "        cuModuleUnload(k->module);\n    free(k);\n}\n\n");
}

/* Arguments of one kernel, and its launch. */
static void one_launch(Writer *w, int i)
{
    const PlanLaunch *l = &w->plan->launch[i];
    Str *o = w->out;
    Ctx *c = &w->p->ctx;
    const char *args = "";
    str_puts(o, "    {\n");
    for (int k = 0; k < l->nparam; k++) {
        const PlanParam *a = &l->param[k];
        const char *v = "";
        switch ((enum PlanKind)a->kind) {
        case PKtensor: v = buf_name(w, a->id); break;
        case PKscalar: case PKdim: v = var_name(w, a->id); break;
        case PKwork: v = afmt(c, "kernel->work[%u]", (unsigned)a->id); break;
        case PKmap: v = w->plan->map[a->id].name; break;
        case PKout: v = "side"; break;
        case PKgrid: v = "grid"; break;
        }
        args = afmt(c, "%s%s&%s", args, *args ? ", " : "", v);
    }
    str_fmt(o, "        void *args[] = {%s};\n", *args ? args : "NULL");
    str_puts(o, "        CUlaunchConfig config = {\n");
    for (int d = 0; d < MaxLaunchDim; d++)
        str_fmt(o, "            .gridDim%c = (unsigned)%s,\n", "XYZ"[d], host(w, l->grid[d]));
    str_fmt(o, "            .blockDimX = %d, .blockDimY = 1, .blockDimZ = 1,\n"
               "            .sharedMemBytes = %lld, .hStream = stream,\n        };\n",
            l->threads, (long long)l->shared);
    if (l->grid_sync)
        str_puts(o, "        if ((r = cuMemsetD32Async(grid, 0, GridBytes / 4, stream)) != CUDA_SUCCESS)\n"
                    "            return r;\n"
                    "        CUlaunchAttribute attribute = {\n"
                    "            .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};\n"
                    "        config.attrs = &attribute;\n        config.numAttrs = 1;\n");
    str_fmt(o, "        if ((r = cuLaunchKernelEx(&config, kernel->function[%d], args, NULL)) != CUDA_SUCCESS)\n"
               "            return r;\n    }\n", i);
}

static void cuda_export_prepare(Writer *w)
{
    const Plan *q = w->plan;
    Str *o = w->out;
    bool out = false, grid = false;
    for (int i = 0; i < q->nlaunch; i++) {
        out |= cuda_export_writes_out(&q->launch[i]);
        grid |= q->launch[i].grid_sync;
    }
    for (int i = 0; i < q->nwork; i++) {
        str_fmt(o, "    if ((r = workspace(kernel, %d, %s)) != CUDA_SUCCESS)\n        return r;\n",
                i, cuda_export_bytes_of(w, &w->p->buf[q->work[i].buf]));
    }
    if (out)
        str_puts(o, "    CUdeviceptr side = kernel->side; /* room 0: every record is dropped */\n"
                    "    if ((r = cuMemsetD32Async(side, 0, 8, stream)) != CUDA_SUCCESS)\n"
                    "        return r;\n");
    if (grid)
        str_puts(o, "    CUdeviceptr grid = kernel->side + SideBytes;\n");
    for (int i = 0; i < q->nmap; i++)
        str_fmt(o, "    CUtensorMap %s;\n", q->map[i].name);
    for (int i = 0; i < q->nmap; i++)
        tensor_map(w, i);
}

/* body: room for the functions, before which stands what they call. */
static void launcher(Writer *w, Str *body)
{
    const Plan *q = w->plan;
    Str *file = w->out, *o = body;
    const char *n = w->name;
    w->out = body;
    cuda_export_state(w);
    loader(w);
    if (q->nwork)
        str_fmt(o, "/* Room of so many bytes. */\n"
                   "static CUresult workspace(%s_kernel *k, int i, size_t bytes)\n{\n"
                   "    CUresult r;\n    if (k->bytes[i] < bytes) {\n        if (k->work[i])\n"
                   "            cuMemFree(k->work[i]);\n        k->work[i] = 0;\n"
                   "        k->bytes[i] = 0;\n"
                   "        if ((r = cuMemAlloc(&k->work[i], bytes)) != CUDA_SUCCESS)\n"
                   "            return r;\n"
                   "        k->bytes[i] = bytes;\n    }\n    return CUDA_SUCCESS;\n}\n\n", n);
    str_fmt(o, "CUresult %s_launch(%s_kernel *kernel, CUstream stream%s)\n{\n    CUresult r;\n",
            n, n,
            cuda_export_parameters(w));
    cuda_export_prepare(w);
    for (int i = 0; i < q->nlaunch; i++)
        one_launch(w, i);
    str_puts(o, "    return CUDA_SUCCESS;\n}\n");
    str_fmt(file, "/* %s.c: loads and launches %s.cubin.  Written by moontile. */\n", n, n);
    str_fmt(file, "#include <stdlib.h>\n\n#include \"%s.h\"\n\n", n);
    helpers(file, body->s ? body->s : "");
    str_add(file, body->s ? body->s : "", body->n);
}

/* Program --------------------------------------------------------------------------- */

static const char *fill_kind(enum Dtype dt)
{
    switch (dt) {
    case DTf16: return "f16";
    case DTbf16: return "bf16";
    case DTf32: case DTtf32: return "f32";
    default: return "bytes";
    }
}

static const char program_head[] =
    "/* Fills n bytes with numbers of [-1, 1); other types get small bytes. */\n"
    "static void fill(unsigned char *p, size_t n, const char *kind)\n{\n"
    "    size_t size = kind[0] == 'b' && kind[1] == 'y' ? 1 : kind[0] == 'f' && kind[1] == '3' ? 4 : 2;\n"
    "    for (size_t i = 0; i + size <= n; i += size) {\n"
    "        float v = (float)rand() / (float)RAND_MAX * 2 - 1;\n        unsigned u;\n"
    "        memcpy(&u, &v, 4);\n"
    "        if (size == 4) {\n            memcpy(p + i, &v, 4);\n"
    "        } else if (size == 1) {\n            p[i] = (unsigned char)(rand() & 7);\n"
    "        } else {\n"
    "            int e = (int)(u >> 23 & 255) - 112; /* of a half; small numbers become 0 */\n"
    "            unsigned h = kind[0] == 'b' ? u >> 16\n"
    "                       : (u >> 16 & 0x8000) | (e > 0 ? (unsigned)e << 10 | (u >> 13 & 1023) : 0);\n"
    "            p[i] = (unsigned char)h;\n            p[i + 1] = (unsigned char)(h >> 8);\n"
    "        }\n    }\n}\n\n"
    "static void check(CUresult r, const char *what)\n{\n    const char *name = \"?\";\n"
    "    if (r == CUDA_SUCCESS)\n        return;\n    cuGetErrorName(r, &name);\n"
    "    fprintf(stderr, \"%s: %s\\n\", what, name);\n    exit(1);\n}\n\n"
    "static CUdeviceptr tensor(size_t bytes, const char *kind)\n{\n    CUdeviceptr d;\n"
    "    unsigned char *host = malloc(bytes);\n    if (!host)\n        exit(1);\n"
    "    fill(host, bytes, kind);\n    check(cuMemAlloc(&d, bytes), \"cuMemAlloc\");\n"
    "    check(cuMemcpyHtoD(d, host, bytes), \"cuMemcpyHtoD\");\n    free(host);\n    return d;\n"
    "}\n\n";

static void cuda_export_program(Writer *w)
{
    const Prog *p = w->p;
    Str *o = w->out;
    Ctx *c = &w->p->ctx;
    const char *n = w->name, *call = "", *usage = "";
    int argn = 0;
    str_fmt(o, "/* main.c: runs %s on random tensors and says how long it takes.  Written by moontile.\n"
               " *\n *     make && ./%s", n, n);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            usage = afmt(c, "%s %s", usage, var_name(w, v));
    str_fmt(o, "%s\n */\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
               "#include \"%s.h\"\n\n",
            usage, n);
    str_puts(o, program_head);
    str_fmt(o, "int main(int argc, char **argv)\n{\n    CUdevice device;\n    CUcontext context;\n"
               "    CUevent from, to;\n    %s_kernel *kernel;\n    float ms;\n"
               "    (void)argc, (void)argv;\n", n);
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim) {
            argn++;
            str_fmt(o, "    int %s = argc > %d ? atoi(argv[%d]) : 1024;\n",
                    var_name(w, v), argn, argn);
        }
    str_puts(o, "    check(cuInit(0), \"cuInit\");\n"
                "    check(cuDeviceGet(&device, 0), \"cuDeviceGet\");\n"
                "    check(cuDevicePrimaryCtxRetain(&context, device), \"cuDevicePrimaryCtxRetain\");\n"
                "    check(cuCtxSetCurrent(context), \"cuCtxSetCurrent\");\n");
    str_fmt(o, "    check(%s_load(&kernel, \"%s.cubin\"), \"%s.cubin\");\n", n, n, n);
    for (uint32_t i = 0; i < p->nparam; i++) {
        const Param *a = &p->param[i];
        call = afmt(c, "%s, %s", call, a->scalar ? var_name(w, a->id) : buf_name(w, a->id));
        if (a->scalar)
            str_fmt(o, "    %s %s = 1;\n",
                    scalar_type((enum Dtype)p->var[a->id].dt), var_name(w, a->id));
        else
            str_fmt(o, "    CUdeviceptr %s = tensor(%s, \"%s\");\n", buf_name(w, a->id),
                    cuda_export_bytes_of(w, &p->buf[a->id]),
                    fill_kind((enum Dtype)p->buf[a->id].dt));
    }
    for (uint32_t v = 1; v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            call = afmt(c, "%s, %s", call, var_name(w, v));
    str_puts(o, "    check(cuEventCreate(&from, CU_EVENT_DEFAULT), \"cuEventCreate\");\n"
                "    check(cuEventCreate(&to, CU_EVENT_DEFAULT), \"cuEventCreate\");\n"
                "    for (int i = 0; i < 4; i++) { /* three to warm up */\n"
                "        check(cuEventRecord(from, NULL), \"cuEventRecord\");\n");
    str_fmt(o, "        check(%s_launch(kernel, NULL%s), \"%s_launch\");\n", n, call, n);
    str_puts(o, "        check(cuEventRecord(to, NULL), \"cuEventRecord\");\n"
                "        check(cuEventSynchronize(to), \"the kernel\");\n    }\n"
                "    check(cuEventElapsedTime(&ms, from, to), \"cuEventElapsedTime\");\n");
    str_fmt(o, "    printf(\"%s: %%.4f ms\\n\", ms);\n    %s_unload(kernel);\n    return 0;\n}\n",
            n, n);
}

/* All ------------------------------------------------------------------------------- */

typedef struct CudaExportJob CudaExportJob;
struct CudaExportJob { Prog *p; const char *name; BundleFile *file; int n; Str body; };

/* The text of the next file. */
static Str *cuda_export_next(CudaExportJob *j, const char *fmt)
{
    BundleFile *f = &j->file[j->n++];
    *f = (BundleFile){.name = fmt};
    return &f->text;
}

static void makefile(Writer *w)
{
    const char *n = w->name;
    str_fmt(w->out,
            "# Makefile, written by moontile: needs a C compiler, cuda.h and libcuda (the driver).\n"
            "CUDA = /usr/local/cuda\n"
            "%s: main.c %s.c %s.h\n"
            "\t$(CC) -O2 -I$(CUDA)/include -o $@ main.c %s.c -L$(CUDA)/lib64/stubs -lcuda\n",
            n, n, n, n);
}

static void cuda_export_run(Ctx *c, void *ud)
{
    CudaExportJob *j = ud;
    Writer w = {.p = j->p, .plan = plan_new(j->p), .name = j->name};
    if (!w.plan)
        return;
    w.var = anew(c, (j->p->nvar + 1) * sizeof *w.var);
    w.buf = anew(c, (j->p->nbuf + 1) * sizeof *w.buf);
    names_begin(&w);
    w.out = cuda_export_next(j, afmt(c, "%s.h", j->name));
    cuda_export_header(&w);
    w.out = cuda_export_next(j, afmt(c, "%s.c", j->name));
    launcher(&w, &j->body);
    w.out = cuda_export_next(j, "main.c");
    cuda_export_program(&w);
    w.out = cuda_export_next(j, "Makefile");
    makefile(&w);
}

bool cuda_bundle(Prog *p, const char *name, BundleFile file[BundleFiles], int *n)
{
    CudaExportJob j = {.p = p, .name = name, .file = file};
    bool ok = ctx_try(&p->ctx, cuda_export_run, &j) && p->ctx.nerror == 0;
    *n = j.n;
    ok &= !j.body.bad;
    str_free(&j.body);
    for (int i = 0; i < j.n; i++)
        ok &= !file[i].text.bad;
    return ok;
}
