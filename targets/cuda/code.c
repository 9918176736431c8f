/* targets/cuda/code.c: CUDA C++ -> machine code, through the cache.
 *
 * The key of an entry is everything that its bytes depend on: the text, the
 * options, the chip, the compiler's version and the format below.  What ptxas
 * says about the kernels is kept with the code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"

/* An entry: this head, the code, the info.  The cache sees to it that it is whole. */
typedef struct Head Head;
struct Head { char magic[8]; uint64_t code, info, ptx; };
static const char magic[8] = "mtcuda1";

void cuda_code_free(CudaCode *c)
{
    str_free(&c->code);
    str_free(&c->info);
}

bool cuda_compiler(Cuda *d, char **err)
{
    if (d->have_rtc)
        return true;
    *err = nvrtc_open(&d->rtc, d->cu.version, d->opt.arch);
    return d->have_rtc = *err == NULL;
}

/* What the compiler said ------------------------------------------------------ */

/* One line of ptxas' log; kernel: the function that it is about, kept between. */
typedef struct Figures Figures;
struct Figures { char kernel[256]; int stack, stores, loads; };

/* The text between the first two quotes of s, into out. */
static void quoted(const char *s, char *out, size_t size)
{
    const char *a = strchr(s, '\''), *b = a ? strchr(a + 1, '\'') : NULL;
    if (b && (size_t)(b - a) < size) {
        memcpy(out, a + 1, (size_t)(b - a) - 1);
        out[b - a - 1] = '\0';
    }
}

static void read_line(Figures *f, const char *line, Str *info)
{
    const char *s;
    int regs = 0;
    if (strstr(line, "Compiling entry function")) {
        *f = (Figures){.stack = 0};
        quoted(line, f->kernel, sizeof f->kernel);
    } else if ((s = strstr(line, " bytes stack frame"))) {
        while (s > line && (s[-1] >= '0' && s[-1] <= '9'))
            s--;
        sscanf(s, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &f->stack,
               &f->stores, &f->loads);
    } else if ((s = strstr(line, "Used ")) && sscanf(s, "Used %d registers", &regs) == 1) {
        if (f->kernel[0])
            str_fmt(info, "kernel %s %d %d %d\n", f->kernel, regs, f->stack, f->stores + f->loads);
    } else if ((s = strstr(line, "(C7")) || (s = strstr(line, "warning"))) {
        str_fmt(info, "warning %s\n", s);
    }
}

static void read_log(const char *log, Str *info)
{
    Figures f = {.stack = 0};
    char line[1024];
    for (const char *s = log; *s;) {
        size_t n = strcspn(s, "\n"), k = n < sizeof line - 1 ? n : sizeof line - 1;
        memcpy(line, s, k);
        line[k] = '\0';
        read_line(&f, line, info);
        s += n + (s[n] == '\n');
    }
}

int cuda_code_figure(const CudaCode *c, const char *kernel, const char *what)
{
    static const char *const names[] = {"regs", "stack", "spill"};
    char name[256];
    int v[3];
    for (const char *s = c->info.s; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (sscanf(s, "kernel %255s %d %d %d", name, &v[0], &v[1], &v[2]) == 4 &&
            strcmp(name, kernel) == 0)
            for (size_t i = 0; i < COUNT(names); i++)
                if (strcmp(names[i], what) == 0)
                    return v[i];
    return -1;
}

/* Files ------------------------------------------------------------------------- */

static bool write_parts(const char *path, const Str *a, const Str *b, const Str *c)
{
    const Str *part[] = {a, b, c};
    FILE *f = fopen(path, "we");
    bool ok = f != NULL;
    for (size_t i = 0; ok && i < COUNT(part); i++)
        ok = !part[i] || part[i]->n == 0 || fwrite(part[i]->s, 1, part[i]->n, f) == part[i]->n;
    return f ? (fclose(f) == 0) & ok : false;
}

bool cuda_keep(Cuda *d, const char *ext, const char *s, size_t n, Str *path)
{
    union { const char *c; char *v; } bytes = {.c = s}; /* only read */
    Str all = {.s = bytes.v, .n = n}, temp = {0};
    Hash key = hash_bytes((Hash){0x63756461, 2}, s, n);
    cache_temp(&d->cache, ext, &temp);
    cache_path(&d->cache, hash_bytes(key, ext, strlen(ext)), ext, path);
    bool ok = !temp.bad && !path->bad && write_parts(temp.s, &all, NULL, NULL) &&
              rename(temp.s, path->s) == 0;
    if (!ok && !temp.bad) {
        int e = errno;
        unlink(temp.s);
        errno = e;
    }
    str_free(&temp);
    return ok;
}

static bool read_file(const char *path, Str *out)
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

/* The cache --------------------------------------------------------------------- */

static Hash key_of(const Cuda *d, const char *text)
{
    const char *part[] = {text, NVRTC_OPTIONS, d->opt.arch, d->rtc.name,
                          d->opt.fast_math ? "fast" : "exact"};
    Hash h = {0x63756461, 1};
    h = hash_bytes(h, magic, sizeof magic);
    for (size_t i = 0; i < COUNT(part); i++)
        h = hash_bytes(h, part[i], strlen(part[i]) + 1);
    return h;
}

static bool from_cache(Cuda *d, Hash key, CudaCode *out)
{
    Str path = {0}, all = {0};
    Head h;
    bool ok = cache_get(&d->cache, key, "cubin", &path) && read_file(path.s, &all) &&
              all.n >= sizeof h;
    if (ok) {
        memcpy(&h, all.s, sizeof h);
        ok = memcmp(h.magic, magic, sizeof magic) == 0 && h.code < all.n && h.info < all.n &&
             sizeof h + h.code + h.info <= all.n;
    }
    if (ok) {
        str_add(&out->code, all.s + sizeof h, h.code);
        str_add(&out->info, all.s + sizeof h + h.code, h.info);
        out->ptx = h.ptx != 0;
        ok = !out->code.bad && !out->info.bad;
    }
    out->cached = ok;
    str_free(&path);
    str_free(&all);
    return ok;
}

/* Without room for it the kernel still runs: it is compiled again next time. */
static void to_cache(Cuda *d, Hash key, const CudaCode *c)
{
    Head h = {.code = c->code.n, .info = c->info.n, .ptx = c->ptx};
    Str head = {0}, temp = {0}, path = {0};
    memcpy(h.magic, magic, sizeof magic);
    str_add(&head, (const char *)&h, sizeof h);
    cache_temp(&d->cache, "cubin", &temp);
    if (!temp.bad && !head.bad) {
        if (write_parts(temp.s, &head, &c->code, &c->info))
            cache_put(&d->cache, key, "cubin", temp.s, &path);
        else
            unlink(temp.s);
    }
    str_free(&head);
    str_free(&temp);
    str_free(&path);
}

/* The compiler's messages with the text it was given, for a report to us. */
static char *refused(Cuda *d, const char *text, const Compiled *c)
{
    Str all = {0}, path = {0};
    str_fmt(&all, "%s %s %s\n\n%s\n\n%s", d->rtc.name, c->target, NVRTC_OPTIONS,
            c->log.s ? c->log.s : "", text);
    bool ok = !all.bad && cuda_keep(d, "log", all.s, all.n, &path);
    char *err = dev_error("@cuda_compile" DEV_SEP "%s" DEV_SEP "%s", d->rtc.name,
                          ok ? path.s : strerror(errno));
    str_free(&all);
    str_free(&path);
    return err;
}

static bool compile(Cuda *d, const char *text, CudaCode *out, char **err)
{
    Compiled c;
    bool ok = nvrtc_compile(&d->rtc, text, d->opt.arch, d->opt.fast_math, NVcode, &c, err);
    if (!ok && !*err)
        *err = refused(d, text, &c);
    if (ok) {
        out->code = c.code;
        c.code = (Str){0};
        out->ptx = c.ptx;
        out->ms = c.ms;
        str_fmt(&out->info, "compiler %s\ntarget %s\n", d->rtc.name, c.target);
        read_log(c.log.s ? c.log.s : "", &out->info);
    }
    compiled_free(&c);
    return ok;
}

bool cuda_code(Cuda *d, const char *text, CudaCode *out, char **err)
{
    *out = (CudaCode){.ptx = false};
    if (!cuda_compiler(d, err))
        return false;
    Hash key = key_of(d, text);
    if (from_cache(d, key, out))
        return true;
    cuda_code_free(out);
    *out = (CudaCode){.ptx = false};
    if (!compile(d, text, out, err))
        return false;
    to_cache(d, key, out);
    return true;
}
