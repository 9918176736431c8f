/* targets/gpu/keep.c: files of the cache's folder: texts for people, and code with
 * what its compiler said about it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"

/* An entry of code: this head, the code, the info.  The cache sees to it that it is
 * whole. */
typedef struct GpuKeepHead GpuKeepHead;
struct GpuKeepHead { char kind[8]; uint64_t code, info, flag; };

bool gpu_read_file(const char *path, Str *out)
{
    char buf[1 << 14];
    FILE *f = fopen(path, "re");
    size_t n;
    while (f && (n = fread(buf, 1, sizeof buf, f)) > 0)
        str_add(out, buf, n);
    if (f)
        fclose(f);
    return f && !out->bad;
}

bool gpu_write_file(const char *path, const Str *const *part, size_t n)
{
    FILE *f = fopen(path, "we");
    bool ok = f != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = part[i]->n == 0 || fwrite(part[i]->s, 1, part[i]->n, f) == part[i]->n;
    return f ? (fclose(f) == 0) & ok : false;
}

bool gpu_keep(const Cache *k, const char *ext, const char *s, size_t n, Str *path)
{
    union { const char *c; char *v; } bytes = {.c = s}; /* only read */
    Str all = {.s = bytes.v, .n = n}, temp = {0};
    const Str *part[] = {&all};
    Hash key = hash_bytes((Hash){0x63756461, 2}, s, n);
    cache_temp(k, ext, &temp);
    cache_path(k, hash_bytes(key, ext, strlen(ext)), ext, path);
    bool ok = !temp.bad && !path->bad && gpu_write_file(temp.s, part, 1) &&
              rename(temp.s, path->s) == 0;
    if (!ok && !temp.bad) {
        int e = errno;
        unlink(temp.s);
        errno = e;
    }
    str_free(&temp);
    return ok;
}

bool gpu_code_get(const Cache *k, Hash key, const char *ext, const char *kind, Str *code,
                  Str *info, uint64_t *flag)
{
    Str path = {0}, all = {0};
    GpuKeepHead h = {{0}, 0, 0, 0}, want = {{0}, 0, 0, 0};
    strncpy(want.kind, kind, sizeof want.kind - 1);
    bool ok = cache_get(k, key, ext, &path) && gpu_read_file(path.s, &all) && all.n >= sizeof h;
    if (ok) {
        memcpy(&h, all.s, sizeof h);
        ok = memcmp(h.kind, want.kind, sizeof h.kind) == 0 && h.code < all.n && h.info < all.n &&
             sizeof h + h.code + h.info <= all.n;
    }
    if (ok) {
        str_add(code, all.s + sizeof h, h.code);
        str_add(info, all.s + sizeof h + h.code, h.info);
        *flag = h.flag;
        ok = !code->bad && !info->bad;
    }
    str_free(&path);
    str_free(&all);
    return ok;
}

/* Without room for it the kernel still runs: it is compiled again next time. */
void gpu_code_put(const Cache *k, Hash key, const char *ext, const char *kind, const Str *code,
                  const Str *info, uint64_t flag)
{
    GpuKeepHead h = {.code = code->n, .info = info->n, .flag = flag};
    Str head = {0}, temp = {0}, path = {0};
    const Str *part[] = {&head, code, info};
    strncpy(h.kind, kind, sizeof h.kind - 1);
    str_add(&head, (const char *)&h, sizeof h);
    cache_temp(k, ext, &temp);
    if (!temp.bad && !head.bad) {
        if (gpu_write_file(temp.s, part, COUNT(part)))
            cache_put(k, key, ext, temp.s, &path);
        else
            unlink(temp.s);
    }
    str_free(&head);
    str_free(&temp);
    str_free(&path);
}

/* What compilers say ---------------------------------------------------------- */

void gpu_each_line(const char *log, void (*line)(void *ud, const char *line), void *ud)
{
    char buf[1024];
    for (const char *s = log; *s;) {
        size_t n = strcspn(s, "\n"), k = n < sizeof buf - 1 ? n : sizeof buf - 1;
        memcpy(buf, s, k);
        buf[k] = '\0';
        line(ud, buf);
        s += n + (s[n] == '\n');
    }
}

int gpu_code_figure(const Str *info, const char *kernel, const char *what)
{
    static const char *const names[] = {"regs", "stack", "spill"};
    char name[256];
    int v[3];
    for (const char *s = info->s; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (sscanf(s, "kernel %255s %d %d %d", name, &v[0], &v[1], &v[2]) == 4 &&
            strcmp(name, kernel) == 0)
            for (size_t i = 0; i < COUNT(names); i++)
                if (strcmp(names[i], what) == 0)
                    return v[i];
    return -1;
}
