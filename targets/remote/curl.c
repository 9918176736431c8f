/* targets/remote/curl.c: see curl.h. */
#include "curl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/worker.h"
#include "err/remote.h"

/* One library by the names that systems give it, by what does its TLS. */
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};

/* A function's address goes through memory: C has no conversion from void *. */
static bool curl_symbol(void *lib, const char *name, void *to, size_t n)
{
    void *p = dlsym(lib, name);
    if (p)
        memcpy(to, &p, n);
    return p;
}

DevError curl_open(Curl *c)
{
    const char *lacks = NULL;
    const char *own = getenv("MOONTILE_CURL_LIB");
    *c = (Curl){.handle = own && *own ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : NULL};
    for (size_t i = 0; i < COUNT(names) && !c->handle && !(own && *own); i++)
        c->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!c->handle)
        return dev_error(E_remote_library, own && *own ? own : "libcurl.so.4, libcurl-gnutls.so.4, "
                                                               "libcurl-nss.so.4");
#define X(name, result, parameters) \
    if (!curl_symbol(c->handle, "curl_" #name, &c->name, sizeof c->name)) \
        lacks = "curl_" #name;
    CURL_CALLS(X)
#undef X
    if (!lacks && c->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        lacks = "curl_global_init";
    return lacks ? dev_error(E_remote_library, lacks) : DEV_NO_ERROR;
}
