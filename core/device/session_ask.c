/* core/device/session_ask.c: what a session asks of its device: facts for people,
 * options as it knows them, facts and texts of kernels. */
#include <stdlib.h>
#include <string.h>

#include "session_p.h"
#include "err/run.h"

static bool send_plain(Session *s, const Request *r)
{
    const enum MsgKind *kind = r->ud;
    msg_start(s->msg, *kind, ++s->seq);
    return msg_send(s->fd, s->msg);
}

/* Is the target's name the first word, as "cuda" of "cuda -arch=sm_90a"? */
static bool names_target(const char *options, const char *target)
{
    size_t n = strcspn(options, " \t");
    return n == strlen(target) && memcmp(options, target, n) == 0;
}

const char *session_options(Session *s, Ctx *c)
{
    const enum MsgKind kind = Mcomplete;
    Str text = {0};
    if (s->complete)
        return s->complete;
    if (!request(s, c, &(Request){.send = send_plain, .ud = &kind}))
        return NULL;
    const char *got = get_text(s->msg, NULL);
    got += strspn(got, " \t");
    if (!names_target(got, s->target->name))
        str_fmt(&text, "%s%s", s->target->name, *got ? " " : "");
    str_puts(&text, got);
    if (text.bad) {
        str_free(&text);
        report(c, E_memory, "more", "reached", NULL);
        return NULL;
    }
    return s->complete = text.s;
}

static bool send_prepare(Session *s, const Request *r)
{
    return send_load(s, r->module, true);
}

bool session_prepare(Session *s, Ctx *c, Module *m, Str *facts)
{
    if (m->session != s)
        return report(c, E_session_closed, NULL, NULL, NULL);
    if (!request(s, c, &(Request){.send = send_prepare, .module = m}))
        return false;
    str_puts(facts, get_text(s->msg, NULL));
    return true;
}

static bool session_ask_send_text(Session *s, const Request *r)
{
    const char *what = r->ud;
    if (!send_load(s, r->module, false))
        return false;
    msg_start(s->msg, Mtext, ++s->seq);
    put_u64(s->msg, r->module->id);
    put_text(s->msg, what, strlen(what));
    return msg_send(s->fd, s->msg);
}

bool session_text(Session *s, Ctx *c, Module *m, const char *what, Str *out)
{
    if (m->session != s)
        return report(c, E_session_closed, NULL, NULL, NULL);
    if (!request(s, c, &(Request){.send = session_ask_send_text, .module = m, .ud = what}))
        return false;
    str_puts(out, get_text(s->msg, NULL));
    return true;
}

void session_describe(Session *s, Str *out)
{
    str_fmt(out, "target: %s\n", s->target->name);
    if (!s->pid && worker_start(s) != 0)
        return;
    msg_start(s->msg, Mdescribe, ++s->seq);
    if (msg_send(s->fd, s->msg) && worker_await(s, false) == WAanswer && s->msg->h.kind == Mok)
        str_puts(out, get_text(s->msg, NULL));
    else
        worker_kill(s);
}
