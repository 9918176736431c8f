/* repl/serve/on_tensor.c: tensors; put.c has the way in of their contents. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve.h"
#include "err/serve.h"

/* Making ------------------------------------------------------------------- */

/* 32 hex digits; false: they are none. */
static bool read_hash(const char *s, Hash *h)
{
    uint64_t v[2] = {0, 0};
    if (strlen(s) != 32 || strspn(s, "0123456789abcdef") != 32)
        return false;
    for (int i = 0; i < 32; i++)
        v[i / 16] = v[i / 16] << 4 | (uint64_t)(s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
    *h = (Hash){v[0], v[1]};
    return true;
}

static void send_new(Task *t, Msg *m)
{
    put_u64(m, t->number);
    for (int i = 0; i < 4; i++)
        put_u64(m, t->arg[i]);
}

/* The file of an answer becomes a buffer; one that is there already is closed with the message. */
static bool shelve(RemoteSession *g, uint64_t id, Msg *m)
{
    if (rsession_buffer(g, id) >= 0)
        return true;
    if (m->fd < 0)
        return false;
    if (g->nbuffer == g->capbuffer) {
        size_t cap = g->capbuffer ? 2 * g->capbuffer : 16;
        Buffer *more = realloc(g->buffer, cap * sizeof *more);
        if (!more)
            return false;
        g->buffer = more;
        g->capbuffer = cap;
    }
    g->buffer[g->nbuffer++] = (Buffer){id, m->fd};
    m->fd = -1;
    return true;
}

ServedTensor *tensor_named(const RemoteSession *g, uint64_t k)
{
    ServedTensor *p = numbered_find(&g->tensor, k);
    return p && !p->freed ? p : NULL;
}

static void on_made(Task *t, Msg *m)
{
    Req *r = t->req;
    RemoteSession *g = t->session;
    ServedTensor *p = numbered_find(&g->tensor, t->number);
    bool ok = m && m->h.kind == (uint32_t)Sok;
    uint64_t content = ok ? get_u64(m) : 0, file = ok ? get_u64(m) : 0, off = ok ? get_u64(m) : 0;
    /* others share the file, also where this tensor is not wanted any more */
    ok = ok && !m->bad && off <= (UINT64_C(1) << 46) && shelve(g, file, m) && p;
    if (ok) {
        p->file = file;
        p->off = off;
        p->filled = content ? p->bytes : 0;
        Str out = {0};
        str_fmt(&out, "{\"tensor\": %llu, \"known\": %s}", (unsigned long long)t->number,
                content ? "true" : "false");
        if (r)
            reply_json(r, &out);
        str_free(&out);
        return;
    }
    if (r && m && m->h.kind == (uint32_t)Sok)
        reply_error(r, 500, E_serve_trouble, "no file", NULL, NULL);
    else if (r)
        reply_failed(r, m);
    rsession_drop_tensor(g, t->number);
}

/* Is there room for another tensor of so many bytes?  False: answered. */
static bool on_tensor_fits(Req *r, uint64_t bytes)
{
    const Settings *set = r->sv->set;
    uint64_t memory = (uint64_t)set->memory, all = (uint64_t)set->memory_all;
    if (bytes < 1)
        reply_bad(r, "\"bytes\" is 0");
    else if (r->session->tensor.n >= (uint64_t)set->tensors)
        reply_quota(r, "tensors", r->session->tensor.n + 1, (uint64_t)set->tensors);
    else if (bytes > memory || r->client->memory > memory - bytes)
        reply_quota(r, "memory", bytes > memory ? bytes : r->client->memory + bytes, memory);
    else if (bytes > all || r->sv->memory > all - bytes)
        reply_quota(r, "memory_all", bytes, all > r->sv->memory ? all - r->sv->memory : 0);
    return !r->ready;
}

/* The tensor is entered, its bytes are counted; NULL: answered. */
static ServedTensor *tensor_enter(Req *r, uint64_t bytes)
{
    RemoteSession *g = r->session;
    ServedTensor *p = on_tensor_fits(r, bytes) ? calloc(1, sizeof *p) : NULL;
    if (!p || !numbered_add(&g->tensor, g->last_tensor + 1, p)) {
        free(p);
        reply_memory(r);
        return NULL;
    }
    p->bytes = bytes;
    g->last_tensor++;
    g->memory += bytes;
    g->client->memory += bytes;
    g->sv->memory += bytes;
    return p;
}

void on_tensor(Req *r)
{
    uint64_t bytes = 0;
    const char *hash = NULL;
    char why[160];
    const Member m[] = {{"bytes", 'u', true, &bytes}, {"hash", '0', false, &hash}};
    json_t *o = json_object_of(r->body.s, r->body.n, m, COUNT(m), why);
    Hash h = {0, 0};
    if (!o)
        reply_bad(r, why);
    else if (hash && !read_hash(hash, &h))
        reply_bad(r, "\"hash\" is not 32 hex digits");
    bool hashed = o && hash;
    json_decref(o);
    ServedTensor *p = r->ready ? NULL : tensor_enter(r, bytes);
    if (!p)
        return;
    p->hash = h;
    p->hashed = hashed;
    Task *t = task_new(r, Snew, Clight, on_made);
    if (!t) {
        rsession_drop_tensor(r->session, r->session->last_tensor);
        reply_memory(r);
        return;
    }
    const Content *k = hashed ? content_find(r->client, h, bytes) : NULL;
    t->number = r->session->last_tensor;
    t->arg[0] = bytes;
    t->arg[1] = hashed;
    t->arg[2] = h.a;
    t->arg[3] = h.b;
    t->file = k ? dup(k->fd) : -1;
    t->send = send_new;
    task_add(t);
}

/* Freeing ------------------------------------------------------------------ */

static void on_tensor_send_number(Task *t, Msg *m) { put_u64(m, t->number); }

static void on_freed(Task *t, Msg *m)
{
    RemoteSession *g = t->session;
    uint64_t n = m && m->h.kind == (uint32_t)Sok ? get_u64(m) : 0;
    for (uint64_t i = 0; i < n && !m->bad; i++) {
        uint64_t id = get_u64(m);
        for (size_t k = 0; k < g->nbuffer; k++)
            if (g->buffer[k].id == id) {
                close(g->buffer[k].fd);
                g->buffer[k] = g->buffer[--g->nbuffer];
                break;
            }
    }
    rsession_drop_tensor(g, t->number);
    if (t->req && m)
        reply_empty(t->req);
    else if (t->req)
        reply_failed(t->req, NULL);
}

void on_free(Req *r)
{
    ServedTensor *p = tensor_named(r->session, r->number);
    if (!p) {
        reply_unknown(r, "tensor");
        return;
    }
    for (const Conn *k = r->sv->conn; k; k = k->next)
        if (k->req && k->req->session == r->session && k->req->route->go == on_put &&
            k->req->number == r->number)
            k->req->place = NULL; /* its body leads nowhere now */
    Task *t = task_new(r, Sfree, Clight, on_freed);
    if (!t) {
        reply_memory(r);
        return;
    }
    t->number = r->number;
    t->send = on_tensor_send_number;
    p->freed = true; /* requests before this one may still read it */
    task_add(t);
}

/* Zeros, and the way out --------------------------------------------------- */

static void send_extent(Task *t, Msg *m)
{
    put_u64(m, t->number);
    put_u64(m, t->arg[0]);
    put_u64(m, t->arg[1]);
    if (t->kind == Sread)
        put_u64(m, t->arg[2]);
}

static void on_zeroed(Task *t, Msg *m)
{
    Req *r = t->req;
    if (r && m && m->h.kind == (uint32_t)Sok)
        reply_empty(r);
    else if (r)
        reply_failed(r, m);
}

void on_zero(Req *r)
{
    uint64_t at = 0, bytes = 0;
    char why[160];
    const Member m[] = {{"at", 'u', true, &at}, {"bytes", 'u', true, &bytes}};
    json_t *o = json_object_of(r->body.s, r->body.n, m, COUNT(m), why);
    const ServedTensor *p = tensor_named(r->session, r->number);
    json_decref(o);
    if (!o)
        reply_bad(r, why);
    else if (!p)
        reply_unknown(r, "tensor");
    if (r->ready || !reply_range(r, p, at, bytes))
        return;
    Task *t = task_new(r, Szero, Clight, on_zeroed);
    if (!t) {
        reply_memory(r);
        return;
    }
    t->number = r->number;
    t->arg[0] = at;
    t->arg[1] = bytes;
    t->send = send_extent;
    task_add(t);
}

/* The host's bytes are the newest, or a file has their compressed form. */
static void on_tensor_on_read(Task *t, Msg *m)
{
    static const char type[] = "application/octet-stream";
    Req *r = t->req;
    if (!r)
        return;
    if (!m || m->h.kind != (uint32_t)Sok) {
        reply_failed(r, m);
        return;
    }
    uint64_t packed = get_u64(m);
    const ServedTensor *p = numbered_find(&t->session->tensor, t->number);
    if (packed && m->fd >= 0) {
        r->packed = true;
        reply_file(r, m->fd, 0, packed, type);
        m->fd = -1;
        return;
    }
    int buffer = p ? rsession_buffer(t->session, p->file) : -1;
    if (buffer >= 0 && reply_bytes(r, buffer, p->off + t->arg[0], (size_t)t->arg[1], type))
        return;
    int fd = buffer >= 0 ? dup(buffer) : -1;
    if (fd < 0)
        reply_error(r, 500, E_serve_trouble, "no file", NULL, NULL);
    else
        reply_file(r, fd, p->off + t->arg[0], t->arg[1], type);
}

static bool takes_packed(Req *r)
{
    const char *v = request_value(r, MHD_HEADER_KIND, "Accept-Encoding");
    for (const char *s = v; s && (s = strstr(s, "deflate")); s++)
        if (strncmp(s + 7, ";q=0", 4) != 0)
            return true;
    return false;
}

void on_get(Req *r)
{
    uint64_t at = 0, bytes = 0;
    bool there;
    const ServedTensor *p = tensor_named(r->session, r->number);
    if (!p) {
        reply_unknown(r, "tensor");
        return;
    }
    if (!arg_u64(r, "at", &at, &there) || !arg_u64(r, "bytes", &bytes, &there))
        return;
    if (!there)
        bytes = at <= p->bytes ? p->bytes - at : 0;
    if (!reply_range(r, p, at, bytes))
        return;
    Task *t = task_new(r, Sread, Clight, on_tensor_on_read);
    if (!t) {
        reply_memory(r);
        return;
    }
    t->number = r->number;
    t->arg[0] = at;
    t->arg[1] = bytes;
    t->arg[2] = takes_packed(r);
    t->send = send_extent;
    task_add(t);
}
