/* targets/remote/load.c: IR text -> a kernel at the server, and what it has to say. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/disk.h"
#include "core/device/cache.h"
#include "device.h"

enum { MostText = 64 << 20 };

static bool rload_read_file(const char *path, Str *s, DevError *err)
{
    int why = disk_read(path, s);
    if (why || !s->s) {
        *err = dev_no_file(path, why);
        return false;
    }
    s->n = strlen(s->s); /* an entry of the cache ends with a 0 and a trailer */
    return true;
}

/* What kind of argument each parameter takes, then the dimensions. */
static bool rload_list_args(RemoteModule *m, const char *text, DevError *err)
{
    Prog *p = prog_parse(&mem_libc, text, strlen(text), "=kernel");
    bool ok = p && p->ctx.nerror == 0;
    size_t n = ok ? p->nparam + p->nvar : 0;
    m->kind = calloc(n + 1, 1);
    for (uint32_t i = 0; ok && m->kind && i < p->nparam; i++) {
        bool scalar = p->param[i].scalar;
        enum Dtype dt = scalar ? p->var[p->param[i].id].dt : DTnone;
        m->kind[m->narg++] = !scalar ? 't' : dtypeinfo[dt].cls == 'F' ? 'f' : 'i';
    }
    for (uint32_t v = 1; ok && m->kind && v < p->nvar; v++)
        if (p->var[v].kind == Vdim)
            m->kind[m->narg++] = 'i';
    if (p && !ok)
        *err = dev_error_load(&p->ctx);
    if (p)
        prog_free(p);
    return ok && m->kind;
}

/* A kernel's name as a query has it. */
static void rload_put_name(Str *path, const char *name)
{
    str_puts(path, "/kernels?name=");
    for (int i = 0; name[i] && i < 120; i++)
        if (isalnum((unsigned char)name[i]) || name[i] == '_')
            str_add(path, name + i, 1);
        else
            str_fmt(path, "%%%02X", (unsigned char)name[i]);
}

/* Refusals of the compiler there are told as they are, with the user's lines. */
static void rload_told(const Remote *d, const Call *c, DevError *err)
{
    json_t *o = c->status == 422 ? said_object(c->text.s, c->text.n) : NULL;
    Message m = said_message(o);
    DevMessage *list = d->host ? said_report(&m) : NULL;
    if (list) {
        d->host->report(d->host->ud, list);
        dev_error_free(*err);
        *err = dev_reported();
    }
    free(list);
    json_decref(o);
}

static bool send_kernel(Remote *d, RemoteModule *m, const Str *text, const char *name,
                        DevError *err)
{
    Str path = {0};
    Call c = {.method = "POST", .body = text->s, .nbody = text->n, .once = true,
              .patience = remote_patience(d)};
    json_t *o = NULL;
    rload_put_name(&path, name);
    bool ok = !path.bad && remote_path(d, &c, "%s", path.s);
    *err = ok ? http_call(&d->http, &c) : DEV_NO_ERROR;
    if (err->is)
        rload_told(d, &c, err);
    else if (ok)
        o = said_object(c.text.s, c.text.n);
    if (o && said_int(o, "kernel", 1, INT64_MAX, &m->id)) {
        const char *facts = said_text(o, "facts");
        m->facts = strdup(facts ? facts : "");
    } else if (ok && !err->is) {
        *err = said_wrong(d->opt.host, "{\"kernel\": ..}", c.text.s, c.text.n);
    }
    json_decref(o);
    str_free(&c.text);
    str_free(&path);
    return m->facts;
}

static void module_drop(RemoteModule *m)
{
    free(m->kind);
    free(m->facts);
    free(m);
}

void *remote_load(void *dev, const char *path, const char *name, DevError *err)
{
    Remote *d = dev;
    Str text = {0};
    RemoteModule *m = calloc(1, sizeof *m);
    bool ok = m && rload_read_file(path, &text, err) && rload_list_args(m, text.s, err) &&
              remote_session(d, err) && send_kernel(d, m, &text, name, err);
    str_free(&text);
    if (ok)
        return m;
    if (m)
        module_drop(m);
    return NULL;
}

void remote_unload(void *dev, void *mod)
{
    Remote *d = dev;
    RemoteModule *m = mod;
    Call c = {.method = "DELETE", .patience = remote_patience(d)};
    payload_unload(d, m);
    if (remote_path(d, &c, "/kernels/%" PRId64, m->id))
        dev_error_free(http_call(&d->http, &c)); /* else it is freed with its session */
    str_free(&c.text);
    module_drop(m);
}

void remote_facts(void *dev, void *mod, Str *out)
{
    const RemoteModule *m = mod;
    (void)dev;
    str_puts(out, m->facts);
}

/* Texts ------------------------------------------------------------------------ */

/* Puts the text into the cache of this machine. */
static bool cache_text(const char *ext, const Str *s, Str *path, DevError *err)
{
    Cache k = {0};
    Ctx c;
    Str temp = {0};
    ctx_init(&c, &mem_libc, 1 << 20);
    Hash key = hash_bytes((Hash){0x72656d, 1}, s->s, s->n);
    bool ok = cache_open_quietly(&k, &c);
    if (ok && !cache_get(&k, key, ext, path)) {
        cache_temp(&k, ext, &temp);
        FILE *f = temp.bad ? NULL : fopen(temp.s, "we");
        ok = f && fwrite(s->s, 1, s->n, f) == s->n;
        ok = f && fclose(f) == 0 && ok && cache_put(&k, key, ext, temp.s, path);
    }
    if (!ok) {
        *err = dev_no_file(k.dir.s ? k.dir.s : "", errno);
        if (temp.s)
            unlink(temp.s);
    }
    str_free(&temp);
    cache_close(&k);
    ctx_free(&c);
    return ok;
}

bool remote_text(void *dev, void *mod, const char *what, Str *path, DevError *err)
{
    Remote *d = dev;
    const RemoteModule *m = mod;
    Call c = {.method = "GET", .most = MostText, .patience = remote_patience(d)};
    if (strspn(what, "abcdefghijklmnopqrstuvwxyz") != strlen(what) || strlen(what) > 16 ||
        !remote_path(d, &c, "/kernels/%" PRId64 "/text?what=%s", m->id, what)) {
        *err = dev_no_text(what);
        return false;
    }
    *err = http_call(&d->http, &c);
    if (err->is)
        rload_told(d, &c, err);
    bool ok = !err->is && cache_text(what, &c.text, path, err);
    str_free(&c.text);
    return ok;
}
