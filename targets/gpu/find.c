/* targets/gpu/find.c: libraries and programs that may be in many places. */
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/proc.h"
#include "gpu.h"

/* Folders ------------------------------------------------------------------ */

/* The place as a pattern for glob(); false: its variable is not set, or it is too long. */
static bool pattern_of(const GpuPlace *p, const char *behind, char *out, size_t size)
{
    const char *root = p->env ? getenv(p->env) : NULL;
    if (p->env && !(root && *root))
        return false;
    int k = snprintf(out, size, "%s%s%s%s", root ? root : "", root ? "/" : "", p->pattern, behind);
    return k > 0 && (size_t)k < size;
}

static void add_dirs(GpuDirs *d, const char *pattern)
{
    glob_t g;
    if (glob(pattern, 0, NULL, &g) != 0)
        return;
    for (size_t i = g.gl_pathc; i-- > 0 && d->n < GpuMaxDirs;) { /* later versions first */
        d->dir[d->n] = strdup(g.gl_pathv[i]);
        d->n += d->dir[d->n] != NULL;
    }
    globfree(&g);
}

void gpu_dirs_find(GpuDirs *d, const GpuPlace *place, size_t n)
{
    char pattern[1024];
    *d = (GpuDirs){.n = 0};
    for (size_t i = 0; i < n; i++)
        if (pattern_of(&place[i], "", pattern, sizeof pattern))
            add_dirs(d, pattern);
}

void gpu_dirs_free(GpuDirs *d)
{
    for (int i = 0; i < d->n; i++)
        free(d->dir[i]);
    *d = (GpuDirs){.n = 0};
}

const char *const *gpu_dirs_list(const GpuDirs *d) { return (const char *const *)d->dir; }

/* Libraries ---------------------------------------------------------------- */

/* The file that dlopen() found by its name. */
static void find_where(void *handle, const char *file, char *path, size_t npath)
{
    struct link_map *m = NULL;
    bool known = dlinfo(handle, RTLD_DI_LINKMAP, &m) == 0 && m && m->l_name && *m->l_name;
    snprintf(path, npath, "%s", known ? m->l_name : file);
}

static void *open_file(const GpuLibrary *l, const char *file, char *path, size_t npath,
                       Str *looked)
{
    void *h = dlopen(file, RTLD_NOW | (l->global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (h && path)
        find_where(h, file, path, npath);
    if (!h && strchr(file, '/') && access(file, F_OK) == 0) {
        const char *why = dlerror();
        str_fmt(looked, "%s%s", looked->n ? ", " : "", why ? why : file);
    }
    return h;
}

static void *in_dirs(const GpuLibrary *l, const char *const *dirs, char *path, size_t npath,
                     Str *looked)
{
    char file[1024];
    for (const char *const *d = dirs; d && *d; d++) {
        str_fmt(looked, "%s%s", looked->n ? ", " : "", *d);
        for (const char *const *n = l->names; *n; n++) {
            int k = snprintf(file, sizeof file, "%s/%s", *d, *n);
            void *h = k > 0 && (size_t)k < sizeof file ? open_file(l, file, path, npath, looked)
                                                       : NULL;
            if (h)
                return h;
        }
    }
    return NULL;
}

void *gpu_dlopen(const GpuLibrary *l, char *path, size_t npath, Str *looked)
{
    const char *own = l->env ? getenv(l->env) : NULL;
    if (own && *own) { /* what the user named, and nothing else */
        str_fmt(looked, "%s (%s)", own, l->env);
        return open_file(l, own, path, npath, looked);
    }
    void *h = in_dirs(l, l->first, path, npath, looked);
    for (const char *const *n = l->names; *n && !h; n++)
        h = open_file(l, *n, path, npath, looked);
    if (h)
        return h;
    str_fmt(looked, "%sLD_LIBRARY_PATH, ldconfig", looked->n ? ", " : "");
    return in_dirs(l, l->then, path, npath, looked);
}

static bool names_in(const char *const *names, const char *const *dirs)
{
    char file[1024];
    for (const char *const *d = dirs; d && *d; d++)
        for (const char *const *n = names; *n; n++) {
            int k = snprintf(file, sizeof file, "%s/%s", *d, *n);
            if (k > 0 && (size_t)k < sizeof file && access(file, R_OK) == 0)
                return true;
        }
    return false;
}

/* Is it in a folder of LD_LIBRARY_PATH? */
static bool names_on_path(const char *const *names)
{
    const char *s = getenv("LD_LIBRARY_PATH");
    for (; s && *s; s += *s == ':') {
        size_t n = strcspn(s, ":");
        char dir[1024];
        int k = snprintf(dir, sizeof dir, "%.*s", (int)n, s);
        if (k > 0 && (size_t)k < sizeof dir && names_in(names, (const char *const[]){dir, NULL}))
            return true;
        s += n;
    }
    return false;
}

bool gpu_library_there(const GpuLibrary *l)
{
    static const GpuPlace usual[] = {
        {NULL, "/usr/lib/*-linux-gnu"}, {NULL, "/usr/lib64"}, {NULL, "/usr/lib"},
        {NULL, "/usr/local/lib"},
    };
    const char *own = l->env ? getenv(l->env) : NULL;
    if (own && *own)
        return access(own, R_OK) == 0;
    if (names_in(l->names, l->first) || names_in(l->names, l->then) || names_on_path(l->names))
        return true;
    GpuDirs d;
    gpu_dirs_find(&d, usual, COUNT(usual));
    bool there = names_in(l->names, gpu_dirs_list(&d));
    gpu_dirs_free(&d);
    return there;
}

void *gpu_symbol(void *handle, const char *prefix, const char *names)
{
    char name[96];
    for (const char *s = names; *s;) {
        int n = (int)strcspn(s, " ");
        int k = snprintf(name, sizeof name, "%s%.*s", prefix, n, s);
        void *p = k > 0 && (size_t)k < sizeof name ? dlsym(handle, name) : NULL;
        if (p)
            return p;
        s += n;
        s += strspn(s, " ");
    }
    return NULL;
}

/* Programs ------------------------------------------------------------------- */

char *gpu_tool(const char *name, const GpuPlace *place, size_t n)
{
    char path[1024], behind[64];
    char *found = proc_find(name);
    snprintf(behind, sizeof behind, "/%s", name);
    for (size_t i = 0; i < n && !found; i++) {
        glob_t g;
        if (!pattern_of(&place[i], behind, path, sizeof path) || glob(path, 0, NULL, &g) != 0)
            continue;
        for (size_t k = g.gl_pathc; k-- > 0 && !found;)
            found = proc_find(g.gl_pathv[k]);
        globfree(&g);
    }
    return found;
}

const char *gpu_bytes(double n, char out[32])
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t k = 0;
    while (n >= 1024 && k + 1 < COUNT(unit)) {
        n /= 1024;
        k++;
    }
    snprintf(out, 32, "%.*f %s", k && n < 100 ? 1 : 0, n, unit[k]);
    return out;
}
