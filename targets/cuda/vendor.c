/* targets/cuda/vendor.c: routines of libraries by their specs; copies and
 * fills, which the driver has.  See vendor.h. */
#include <stdlib.h>
#include <string.h>

#include "vendor.h"

/* Copies and fills ------------------------------------------------------- */

static CUdeviceptr address(const DevArg *a) { return (CUdeviceptr)(uintptr_t)a->p; }

static bool copy(Cuda *d, Vendor *v, const DevArg *arg, char **err)
{
    CUresult r = d->cu.MemcpyDtoDAsync(address(&arg[1]), address(&arg[0]),
                                       (size_t)v->spec.bytes, d->stream);
    return cuda_ok(d, r, NULL, "cuMemcpyDtoDAsync", err);
}

static bool fill(Cuda *d, Vendor *v, const DevArg *arg, char **err)
{
    CUresult r = d->cu.MemsetD8Async(address(&arg[0]), 0, (size_t)v->spec.bytes, d->stream);
    return cuda_ok(d, r, NULL, "cuMemsetD8Async", err);
}

static const VendorKind vendor_copy = {.name = "copy", .narg = 2, .enqueue = copy};
static const VendorKind vendor_memset = {.name = "memset", .narg = 1, .enqueue = fill};
static const VendorKind *const kinds[] = {&vendor_gemm, &vendor_copy, &vendor_memset};

/* Specs ------------------------------------------------------------------ */

enum WordKind { Wnumber, Wtype, Wflag };
static const struct { const char *name; enum WordKind kind; size_t at; } words[] = {
    {"m", Wnumber, offsetof(VendorSpec, m)},         {"n", Wnumber, offsetof(VendorSpec, n)},
    {"k", Wnumber, offsetof(VendorSpec, k)},
    {"batch", Wnumber, offsetof(VendorSpec, batch)},
    {"bytes", Wnumber, offsetof(VendorSpec, bytes)},
    {"a", Wtype, offsetof(VendorSpec, a)},           {"b", Wtype, offsetof(VendorSpec, b)},
    {"c", Wtype, offsetof(VendorSpec, c)},           {"acc", Wtype, offsetof(VendorSpec, acc)},
    {"ta", Wflag, offsetof(VendorSpec, ta)},         {"tb", Wflag, offsetof(VendorSpec, tb)},
};

static bool set_word(VendorSpec *s, const char *name, const char *value)
{
    size_t i = 0;
    char *end;
    while (i < COUNT(words) && strcmp(name, words[i].name) != 0)
        i++;
    if (i == COUNT(words))
        return false;
    char *to = (char *)s + words[i].at;
    if (words[i].kind == Wtype) {
        enum Dtype t = dtypebyname(value);
        memcpy(to, &t, sizeof t);
        return t != DTnone;
    }
    int64_t n = strtoll(value, &end, 10);
    bool flag = n == 1;
    if (end == value || *end)
        return false;
    if (words[i].kind == Wflag) {
        memcpy(to, &flag, sizeof flag);
        return n == 0 || n == 1;
    }
    memcpy(to, &n, sizeof n);
    return n > 0;
}

/* text: "gemm m=4096 ..", which is cut up. */
static bool parse(char *text, Vendor *v)
{
    char *rest, *word = strtok_r(text, " ", &rest);
    v->spec = (VendorSpec){.batch = 1};
    for (size_t i = 0; word && i < COUNT(kinds); i++)
        if (strcmp(word, kinds[i]->name) == 0)
            v->kind = kinds[i];
    bool ok = v->kind != NULL;
    while (ok && (word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        ok = value && set_word(&v->spec, word, value);
    }
    return ok && (v->kind == &vendor_gemm || v->spec.bytes > 0);
}

/* Modules ---------------------------------------------------------------- */

Vendor *vendor_load(Cuda *d, const char *spec, char **err)
{
    char *text = strdup(spec);
    Vendor *v = calloc(1, sizeof *v);
    bool ok = text && v;
    if (ok && !(ok = parse(text, v)))
        *err = dev_error("@vendor_none" DEV_SEP "%s", spec);
    if (ok && v->kind->open)
        ok = v->kind->open(d, v, err);
    free(text);
    if (ok)
        return v;
    free(v);
    return NULL;
}

void vendor_unload(Cuda *d, Vendor *v)
{
    if (v && v->kind->close)
        v->kind->close(d, v);
    free(v);
}

bool vendor_enqueue(Cuda *d, Vendor *v, const DevArg *arg, int narg, char **err)
{
    if (narg == v->kind->narg)
        return v->kind->enqueue(d, v, arg, err);
    *err = dev_error("@vendor_args" DEV_SEP "%s" DEV_SEP "%d" DEV_SEP "%d", v->kind->name,
                     v->kind->narg, narg);
    return false;
}

void vendor_facts(const Vendor *v, Str *out)
{
    str_fmt(out, "vendor %s\n", v->kind->name);
    if (v->kind->facts)
        v->kind->facts(v, out);
}
