/* repl/serve/process_kernel.c: kernels of a session's process: IR text from a stranger to
 * something that its device has loaded. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ir/text.h"
#include "core/ir/walk.h"
#include "say.h"
#include "process.h"
#include "err/serve.h"
#include "err/launch.h"

static void kernel_drop(ProcessKernel *k)
{
    if (k->m)
        module_free(k->m);
    artifact_free(&k->art);
    if (k->p)
        prog_free(k->p);
    free(k->written);
    free(k->group);
    free(k);
}

/* Memory that it allocates ------------------------------------------------- */

/* Bytes of a buffer whose shape is constant, 0: it is not; INT64_MAX: more than that. */
static int64_t constant_bytes(const Prog *p, const Buf *b)
{
    int64_t n = dtypeinfo[b->dt].bits, v;
    for (int i = 0; i < b->ndim; i++) {
        if (!x_isint(p, b->shape[i], &v) || v <= 0)
            return 0;
        if (__builtin_mul_overflow(n, v, &n))
            return INT64_MAX;
    }
    return n / 8 + (n % 8 != 0);
}

/* Is what p allocates itself within bounds, as far as that can be told without sizes?
 * Else reported. */
static bool pkernel_modest(Process *s, const Prog *p)
{
    char n[24], most[24];
    int64_t sum = 0;
    for (uint32_t i = 1; i < p->nbuf; i++) {
        const Buf *b = &p->buf[i];
        int64_t one = b->param || b->base ? 0 : constant_bytes(p, b);
        sum = one > INT64_MAX - sum ? INT64_MAX : sum + one;
    }
    if (sum <= s->workspace)
        return true;
    snprintf(n, sizeof n, "%lld", (long long)sum);
    snprintf(most, sizeof most, "%lld", (long long)s->workspace);
    process_say(s, E_serve_quota, "workspace", n, most);
    return false;
}

/* Building ----------------------------------------------------------------- */

/* Printed programs have names in comments and texts.  The printers make them harmless; that
 * none arrives that would need it is a second bolt on the same door. */
static bool pkernel_harmless(const char *s)
{
    for (; s && *s; s++)
        if ((unsigned char)*s < ' ' || *s == 127 || *s == '"' || *s == '\\' || *s == '\'' ||
            (*s == '/' && (s[1] == '*' || s[1] == '/')) || (*s == '*' && s[1] == '/'))
            return false;
    return true;
}

static bool plain_names(Process *s, const Prog *p)
{
    bool ok = pkernel_harmless(p->name);
    for (uint32_t i = 1; i < p->nvar; i++)
        ok = ok && pkernel_harmless(p->var[i].name);
    for (uint32_t i = 1; i < p->nbuf; i++)
        ok = ok && pkernel_harmless(p->buf[i].name);
    if (!ok)
        process_say(s, E_serve_name, NULL, NULL, NULL);
    return ok;
}

/* Reads and verifies; NULL: reported, into s->ctx or into *bad. */
static Prog *pkernel_read_text(Process *s, const char *text, size_t n, const char *name, Prog **bad)
{
    Prog *p = prog_parse(NULL, text, n, name);
    if (!p)
        return NULL;
    if (p->ctx.nerror || !prog_verify(p, "text")) {
        *bad = p;
        return NULL;
    }
    if (p->machine && !s->target->machine) {
        process_say(s, E_serve_request, "a thread program, for a target without threads", NULL,
                    NULL);
        prog_free(p);
        return NULL;
    }
    if (prog_extern(p))
        process_say(s, E_serve_extern, NULL, NULL, NULL);
    else if (plain_names(s, p) && pkernel_modest(s, p))
        return p;
    prog_free(p);
    return NULL;
}

/* Which parameters may be one tensor: the compiler of machine code is told that the others lie
 * apart, so that a client's word is not enough.  Of a thread program it has to be, as the tile
 * program is not here; no target that runs machine code of this processor takes those. */
static void pkernel_group(Ctx *c, void *ud)
{
    const ProcessKernel *k = ud;
    (void)c;
    if (!k->p->machine)
        prog_together(k->p, k->group);
    for (uint32_t i = 0; k->p->machine && i < k->p->nbuf; i++)
        k->group[i] = 1;
}

/* Compiles and loads k->p; false: reported into its context. */
static bool pkernel_make(Process *s, ProcessKernel *k, const char *name, Str *facts)
{
    Prog *p = k->p;
    const char *options = session_options(s->session, &p->ctx);
    k->group = calloc(p->nbuf + 1, sizeof *k->group);
    if (!k->group || !ctx_try(&p->ctx, pkernel_group, k))
        return false;
    if (!options || !prog_compile(p, s->target, options, true, &k->art))
        return false;
    k->written = calloc(p->nbuf + 1, sizeof *k->written);
    if (!k->written)
        return false;
    prog_written(p, k->written);
    k->m = session_load(s->session, &p->ctx, k->art.path.s, *name ? name : p->name);
    return k->m && session_prepare(s->session, &p->ctx, k->m, facts);
}

static bool pkernel_answer(Process *s, const ProcessKernel *k, const Str *facts)
{
    const Prog *p = k->p;
    Str warnings = {0};
    char written[LaunchArgs];
    size_t n = p->nparam < sizeof written ? p->nparam : sizeof written;
    for (size_t i = 0; i < n; i++)
        written[i] = !p->param[i].scalar && k->written[buf_root(p, p->param[i].id)];
    say_messages(&warnings, &p->ctx, Lnote, MessagesBytes);
    process_start(s);
    put_text(&s->out, facts->s ? facts->s : "", facts->n < 8192 ? facts->n : 8192);
    put_text(&s->out, warnings.bad ? "[]" : warnings.s, warnings.bad ? 2 : warnings.n);
    put_text(&s->out, written, n);
    str_free(&warnings);
    return process_send(s);
}

bool process_build(Process *s)
{
    uint64_t number = get_u64(&s->in);
    char name[160];
    size_t n;
    Str facts = {0};
    Prog *bad = NULL;
    snprintf(name, sizeof name, "%s", get_text(&s->in, NULL));
    char *text = process_slurp(s->in.fd, TextBytes + 1, &n);
    ProcessKernel *k = calloc(1, sizeof *k);
    if (k && text)
        k->p = pkernel_read_text(s, text, n, *name ? name : "=ir", &bad);
    free(text);
    bool made = k && k->p && pkernel_make(s, k, name, &facts);
    made = made && numbered_add(&s->kernel, number, k);
    bool ok = made ? pkernel_answer(s, k, &facts)
                   : process_fail(s, 422, bad ? &bad->ctx : k && k->p ? &k->p->ctx : &s->ctx);
    if (bad)
        prog_free(bad);
    if (k && !made)
        kernel_drop(k);
    str_free(&facts);
    return ok;
}

/* The rest ----------------------------------------------------------------- */

static bool pkernel_unknown(Process *s, uint64_t number)
{
    char n[24];
    snprintf(n, sizeof n, "%llu", (unsigned long long)number);
    process_say(s, E_serve_unknown, "kernel", n, NULL);
    return process_fail(s, 404, &s->ctx);
}

bool process_drop(Process *s)
{
    uint64_t number = get_u64(&s->in);
    ProcessKernel *k = numbered_take(&s->kernel, number);
    if (!k)
        return pkernel_unknown(s, number);
    kernel_drop(k);
    return process_ok(s);
}

/* Opens what the worker says is the text: a kernel may have broken the worker, so only a
 * plain file of ours, below the folder that the program itself was stored in. */
static int open_text(const ProcessKernel *k, const char *path)
{
    struct stat st;
    const char *end = k->art.path.s ? strrchr(k->art.path.s, '/') : NULL;
    size_t n = end ? (size_t)(end - k->art.path.s) + 1 : 0;
    if (!n || strncmp(path, k->art.path.s, n) != 0 || strchr(path + n, '/'))
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool process_text(Process *s)
{
    struct stat st = {0};
    uint64_t number = get_u64(&s->in);
    const char *what = get_text(&s->in, NULL);
    const ProcessKernel *k = numbered_find(&s->kernel, number);
    Str path = {0};
    int fd = -1;
    if (!k)
        return pkernel_unknown(s, number);
    if (strcmp(what, "source") == 0)
        fd = process_file(k->art.source.s, k->art.source.n);
    else if (strcmp(what, "ir") == 0) {
        Str ir = {0};
        if (!k->art.program.n)
            prog_print(k->p, &ir);
        fd = ir.n ? process_file(ir.s, ir.n) : process_file(k->art.program.s, k->art.program.n);
        str_free(&ir);
    } else if (session_text(s->session, &s->ctx, k->m, what, &path)) {
        fd = path.n ? open_text(k, path.s) : -1;
        if (fd < 0)
            process_say(s, E_text_none, k->p->name, what, NULL);
    } else {
        return process_fail(s, 422, &s->ctx);
    }
    str_free(&path);
    if (fd < 0 || fstat(fd, &st) != 0) {
        if (fd >= 0)
            close(fd);
        return process_fail(s, 422, &s->ctx);
    }
    process_start(s);
    put_u64(&s->out, (uint64_t)st.st_size);
    return process_send_file(s, fd);
}
