/* targets/gpu/driver.c: finds the run-time's library and its entry points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

typedef struct Entry Entry;
struct Entry { const char *symbols; bool must; size_t at; };

static const Entry entry[] = {
#define GPU_FN(name, symbols, must, result, args) {symbols, must, offsetof(GpuDriver, name)},
    GPU_FNS
#undef GPU_FN
};

/* Fills the table; the first entry that must be there and is not. */
static const Entry *bind(GpuDriver *u)
{
    for (size_t i = 0; i < COUNT(entry); i++) {
        void *p = gpu_symbol(u->handle, u->v->prefix, entry[i].symbols);
        if (!p && entry[i].must)
            return &entry[i];
        memcpy((char *)u + entry[i].at, &p, sizeof p); /* dlsym's way to a function */
    }
    return NULL;
}

char *gpu_driver_open(GpuDriver *u, const GpuVendor *v)
{
    GpuDirs first, then;
    Str looked = {0};
    char *err = NULL;
    *u = (GpuDriver){.v = v};
    gpu_dirs_find(&first, v->first, (size_t)v->nfirst);
    gpu_dirs_find(&then, v->then, (size_t)v->nthen);
    /* global: the library loads siblings, which look for its names */
    GpuLibrary lib = {.env = v->lib_env, .names = v->names, .first = gpu_dirs_list(&first),
                      .then = gpu_dirs_list(&then), .global = true};
    u->handle = gpu_dlopen(&lib, u->path, sizeof u->path, &looked);
    const Entry *missing = u->handle ? bind(u) : NULL;
    if (!u->handle)
        err = dev_error("@gpu_no_library" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s",
                        v->product, v->names[0], looked.s ? looked.s : v->names[0], v->lib_env);
    else if (missing)
        err = dev_error("@gpu_old_library" DEV_SEP "%s" DEV_SEP "%s" DEV_SEP "%s%s", v->product,
                        u->path, v->prefix, missing->symbols);
    else if (u->RuntimeGetVersion && u->RuntimeGetVersion(&u->version) != GpuOk)
        u->version = 0;
    gpu_dirs_free(&first);
    gpu_dirs_free(&then);
    str_free(&looked);
    return err;
}

const char *gpu_error(const GpuDriver *u, GpuResult r)
{
    const char *s = u->GetErrorName ? u->GetErrorName(r) : NULL;
    return s ? s : u->v->prefix;
}

const char *gpu_error_name(const GpuDriver *u, GpuResult r)
{
    const char *s = gpu_error(u, r);
    size_t n = strlen(u->v->prefix);
    return strncmp(s, u->v->prefix, n) == 0 ? s + n : s;
}
