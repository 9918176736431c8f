/* targets/cuda/routines.c: routines of libraries by their specs; copies and
 * fills, which the driver has.  See routines.h. */
#include <stdlib.h>
#include <string.h>

#include "routines.h"
#include "err/gpu.h"

/* Copies and fills ------------------------------------------------------- */

static GpuAddress routines_address(const DevArg *a) { return (GpuAddress)(uintptr_t)a->p; }

static bool routines_copy(Gpu *d, Routine *v, const DevArg *arg, DevError *err)
{
    GpuResult r = d->cu.MemcpyDtoDAsync(routines_address(&arg[1]), routines_address(&arg[0]),
                                       (size_t)v->spec.bytes, d->cu.stream);
    return gpu_ok(d, r, NULL, GCMemcpyDtoDAsync, err);
}

static bool routines_fill(Gpu *d, Routine *v, const DevArg *arg, DevError *err)
{
    GpuResult r =
        d->cu.MemsetD8Async(routines_address(&arg[0]), 0, (size_t)v->spec.bytes, d->cu.stream);
    return gpu_ok(d, r, NULL, GCMemsetD8Async, err);
}

static const RoutineKind routine_copy = {.name = "copy", .narg = 2, .enqueue = routines_copy};
static const RoutineKind routine_memset = {.name = "memset", .narg = 1, .enqueue = routines_fill};
static const RoutineKind *const kinds[] = {&routine_gemm, &routine_copy, &routine_memset};

/* Specs ------------------------------------------------------------------ */

enum WordKind { Wnumber, Wtype, Wflag };
static const struct { const char *name; enum WordKind kind; size_t at; } words[] = {
    {"m", Wnumber, offsetof(RoutineSpec, m)},         {"n", Wnumber, offsetof(RoutineSpec, n)},
    {"k", Wnumber, offsetof(RoutineSpec, k)},
    {"batch", Wnumber, offsetof(RoutineSpec, batch)},
    {"bytes", Wnumber, offsetof(RoutineSpec, bytes)},
    {"a", Wtype, offsetof(RoutineSpec, a)},           {"b", Wtype, offsetof(RoutineSpec, b)},
    {"c", Wtype, offsetof(RoutineSpec, c)},           {"acc", Wtype, offsetof(RoutineSpec, acc)},
    {"ta", Wflag, offsetof(RoutineSpec, ta)},         {"tb", Wflag, offsetof(RoutineSpec, tb)},
};

static bool set_word(RoutineSpec *s, const char *name, const char *value)
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
static bool routines_parse(char *text, Routine *v)
{
    char *rest, *word = strtok_r(text, " ", &rest);
    v->spec = (RoutineSpec){.batch = 1};
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
    return ok && (v->kind == &routine_gemm || v->spec.bytes > 0);
}

/* Modules ---------------------------------------------------------------- */

void *cuda_routine_load(Gpu *d, const char *spec, DevError *err)
{
    char *text = strdup(spec);
    Routine *v = calloc(1, sizeof *v);
    bool ok = text && v;
    if (ok && !(ok = routines_parse(text, v)))
        *err = dev_error(E_vendor_none, spec);
    if (ok && v->kind->open)
        ok = v->kind->open(d, v, err);
    free(text);
    if (ok)
        return v;
    free(v);
    return NULL;
}

void cuda_routine_unload(Gpu *d, void *routine)
{
    Routine *v = routine;
    if (v->kind->close)
        v->kind->close(d, v);
    free(v);
}

bool cuda_routine_enqueue(Gpu *d, void *routine, const DevArg *arg, int narg, DevError *err)
{
    Routine *v = routine;
    if (narg == v->kind->narg)
        return v->kind->enqueue(d, v, arg, err);
    *err = dev_error(E_vendor_args, v->kind->name, v->kind->narg, narg);
    return false;
}

void cuda_routine_facts(const void *routine, Str *out)
{
    const Routine *v = routine;
    str_fmt(out, "vendor %s\n", v->kind->name);
    if (v->kind->facts)
        v->kind->facts(v, out);
}

const GpuRoutines cuda_routines = {
    .load = cuda_routine_load, .unload = cuda_routine_unload, .enqueue = cuda_routine_enqueue,
    .facts = cuda_routine_facts,
};
