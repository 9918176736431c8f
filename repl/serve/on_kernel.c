/* repl/serve/on_kernel.c: kernels: their text goes to the session process as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"
#include "err/serve.h"

static void send_build(Task *t, Msg *m)
{
    put_u64(m, t->number);
    put_text(m, t->text.s ? t->text.s : "", t->text.n);
}

/* A list of true and false from bytes. */
static void say_bools(Str *out, const char *s, size_t n)
{
    str_puts(out, "[");
    for (size_t i = 0; i < n; i++)
        str_fmt(out, "%s%s", i ? ", " : "", s[i] ? "true" : "false");
    str_puts(out, "]");
}

static void on_built(Task *t, Msg *m)
{
    Req *r = t->req;
    RemoteSession *g = t->session;
    char late[24];
    bool ok = m && m->h.kind == (uint32_t)Sok;
    if (!ok) {
        free(numbered_take(&g->kernel, t->number));
        snprintf(late, sizeof late, "%lld", (long long)g->sv->set->compile_s);
        if (r && t->late)
            reply_error(r, 422, E_serve_late, t->what, late, NULL);
        else if (r)
            reply_failed(r, m);
        return;
    }
    size_t n;
    const char *facts = get_text(m, NULL), *warnings = get_text(m, NULL);
    const char *written = get_text(m, &n);
    if (!r)
        return;
    Str out = {0};
    str_fmt(&out, "{\"kernel\": %llu, \"facts\": ", (unsigned long long)t->number);
    say_text(&out, facts);
    str_fmt(&out, ", \"warnings\": %s, \"written\": ", *warnings ? warnings : "[]");
    say_bools(&out, written, n);
    str_puts(&out, "}");
    reply_json(r, &out);
}

static bool on_kernel_good_name(const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
            return false;
    return n >= 1 && n <= 128;
}

void on_kernel(Req *r)
{
    RemoteSession *g = r->session;
    const char *name = request_value(r, MHD_GET_ARGUMENT_KIND, "name");
    if (name && !on_kernel_good_name(name)) {
        reply_bad(r, "name is not 1 to 128 bytes long, or has control characters");
        return;
    }
    if (g->kernel.n >= (uint64_t)r->sv->set->kernels) {
        reply_quota(r, "kernels", g->kernel.n + 1, (uint64_t)r->sv->set->kernels);
        return;
    }
    char *keep = strdup(name ? name : "kernel");
    if (!keep || !numbered_add(&g->kernel, g->last_kernel + 1, keep)) {
        free(keep);
        reply_memory(r);
        return;
    }
    int file = process_file(r->body.s ? r->body.s : "", r->body.n);
    Task *t = file >= 0 ? task_new(r, Sbuild, Ccompile, on_built) : NULL;
    if (!t) {
        if (file >= 0)
            close(file);
        free(numbered_take(&g->kernel, g->last_kernel + 1));
        reply_memory(r);
        return;
    }
    t->number = ++g->last_kernel;
    t->file = file;
    t->send = send_build;
    str_puts(&t->text, name ? name : "");
    snprintf(t->what, sizeof t->what, "%s", keep);
    str_free(&r->body);
    task_add(t);
}

/* Freeing ------------------------------------------------------------------ */

static void on_kernel_send_number(Task *t, Msg *m) { put_u64(m, t->number); }

static void on_dropped(Task *t, Msg *m)
{
    Req *r = t->req;
    if (r && m && m->h.kind == (uint32_t)Sok)
        reply_empty(r);
    else if (r)
        reply_failed(r, m);
}

void on_drop(Req *r)
{
    RemoteSession *g = r->session;
    Task *t = numbered_find(&g->kernel, r->number) ? task_new(r, Sdrop, Clight, on_dropped) : NULL;
    if (!t) {
        reply_unknown(r, "kernel");
        return;
    }
    free(numbered_take(&g->kernel, r->number));
    t->number = r->number;
    t->send = on_kernel_send_number;
    task_add(t);
}

/* Texts -------------------------------------------------------------------- */

static void on_kernel_send_text(Task *t, Msg *m)
{
    put_u64(m, t->number);
    put_text(m, t->text.s, t->text.n);
}

static void on_told(Task *t, Msg *m)
{
    Req *r = t->req;
    if (!r)
        return;
    if (!m || m->h.kind != (uint32_t)Sok || m->fd < 0) {
        reply_failed(r, m);
        return;
    }
    uint64_t bytes = get_u64(m);
    reply_file(r, m->fd, 0, bytes, "text/plain; charset=utf-8");
    m->fd = -1;
}

void on_text(Req *r)
{
    const char *what = request_value(r, MHD_GET_ARGUMENT_KIND, "what");
    size_t n = what ? strlen(what) : 0;
    if (n < 1 || n > 32 || strspn(what, "abcdefghijklmnopqrstuvwxyz0123456789_") != n) {
        reply_bad(r, "what is missing, or is not a word");
        return;
    }
    Task *t = numbered_find(&r->session->kernel, r->number)
                  ? task_new(r, Stext, Ccompile, on_told) : NULL;
    if (!t) {
        reply_unknown(r, "kernel");
        return;
    }
    t->number = r->number;
    str_puts(&t->text, what);
    t->send = on_kernel_send_text;
    task_add(t);
}
