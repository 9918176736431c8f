/* repl/serve/mhd.c: see mhd.h. */
#include "mhd.h"

#include <dlfcn.h>
#include <string.h>

/* A function's address goes through memory: C has no conversion from void *. */
static bool mhd_symbol(void *lib, const char *name, void *to, size_t n)
{
    void *p = dlsym(lib, name);
    if (p)
        memcpy(to, &p, n);
    return p;
}

const char *mhd_open(Mhd *m)
{
    void *lib = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return "libmicrohttpd.so.12";
#define X(name, result, parameters) \
    if (!mhd_symbol(lib, "MHD_" #name, &m->name, sizeof m->name)) \
        return "MHD_" #name;
    MHD_CALLS(X)
#undef X
    return NULL;
}
