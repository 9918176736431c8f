/* core/device/session_report.c: what went wrong in a worker, as messages. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "session_p.h"
#include "err/run.h"

typedef struct ReportText ReportText;
struct ReportText { Err e; Loc l; const char *file, *arg[DiagArgs]; };

static void do_session_report(Ctx *c, void *ud)
{
    ReportText *r = ud;
    if (r->l.line && r->file)
        r->l.file = ctx_file(c, r->file);
    diag(c, r->e, r->l, r->arg[0], r->arg[1], r->arg[2], r->arg[3], r->arg[4],
         r->arg[5], NULL);
}

/* Adds a message; lack of memory is itself a message by then. */
bool report(Ctx *c, Err e, const char *a, const char *b, const char *d)
{
    ReportText r = {.e = e, .arg = {a, b, d}};
    ctx_try(c, do_session_report, &r);
    return false;
}

/* Messages on the board -------------------------------------------------- */

typedef struct ToldReport ToldReport;
struct ToldReport { const DevMessage *m; const char *file; }; /* file: the kernel's */

static void do_told(Ctx *c, void *ud)
{
    const ToldReport *t = ud;
    Diag *d = NULL;
    for (const DevMessage *m = t->m; m; m = m->note) {
        const char *const *a = m->arg;
        const char *file = m->file ? m->file : m->line ? t->file : NULL;
        Loc l = {0, m->col, m->line};
        if (file)
            l.file = ctx_file(c, file);
        if (d)
            diag_note(c, d, m->is, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
        else
            d = diag(c, m->is, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    }
}

void deliver(const Session *s, Ctx *c, const Module *m)
{
    uint32_t at = 0;
    for (char *text; (text = board_next(s->board, &at)); free(text)) {
        DevMessage *list = dev_message_read(text);
        if (!list)
            continue;
        ToldReport t = {list, m ? m->file : NULL};
        ctx_try(c, do_told, &t);
        if (s->hooks.report)
            s->hooks.report(s->hooks.ud, list);
        free(list);
    }
}

const char *name_of(const Session *s, const Module *m)
{
    return m ? m->name : s->target->name;
}

/* The file of a line that a device names.  Lines of two files may have one number: the text
 * of the assert tells which. */
static const char *session_report_file_of(const Module *m, uint32_t line, const char *text)
{
    const char *file = NULL;
    for (size_t i = 0; m && i < m->nspot; i++) {
        const struct ReportPlace *s = &m->spot[i];
        if (s->line == line && text && strcmp(text, s->text) == 0)
            return s->file;
        file = s->line == line && !file ? s->file : file;
    }
    return file || !m ? file : m->file;
}

bool report_device(Session *s, Ctx *c, const Module *m, uint32_t line, const DevError *e)
{
    if (e->reported && c->nerror)
        return false;
    Diag d = dev_error_diag(e, name_of(s, m));
    ReportText r = {.e = d.err, .l = {0, 0, line},
                    .file = session_report_file_of(m, line, d.arg[1])};
    memcpy(r.arg, d.arg, sizeof r.arg);
    if (e->reported)
        r.arg[0] = "what the device reported did not arrive";
    ctx_try(c, do_session_report, &r);
    return false;
}

static const struct { int sig; Err err; } crash[] = {
    {SIGSEGV, E_crash_segv}, {SIGBUS, E_crash_bus}, {SIGFPE, E_crash_fpe},
    {SIGILL, E_crash_ill},   {SIGABRT, E_crash_abort}, {SIGKILL, E_crash_kill},
};

bool report_crash(Session *s, Ctx *c, const Module *m, int status)
{
    const char *name = name_of(s, m);
    char n[16];
    if (!WIFSIGNALED(status)) {
        snprintf(n, sizeof n, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        return report(c, E_worker_exit, name, n, NULL);
    }
    if (atomic_load(&s->board->phase) == PHload && WTERMSIG(status) != SIGKILL) {
        snprintf(n, sizeof n, "%d", WTERMSIG(status));
        return report(c, E_crash_load, name, n, NULL);
    }
    const Device *d = s->target->device;
    if (WTERMSIG(status) == SIGABRT && d && d->aborts)
        return report(c, d->aborts, name, NULL, NULL);
    for (size_t i = 0; i < COUNT(crash); i++)
        if (crash[i].sig == WTERMSIG(status))
            return report(c, crash[i].err, name, NULL, NULL);
    snprintf(n, sizeof n, "%d", WTERMSIG(status));
    return report(c, E_worker_signal, name, n, NULL);
}

/* What was lost ----------------------------------------------------------- */

typedef struct GoneReport GoneReport;
struct GoneReport { Err alone; const char *n, *bytes; };

static void do_lost(Ctx *c, void *ud)
{
    const GoneReport *g = ud;
    Diag *last = NULL;
    for (Diag *d = c->diags; d; d = d->next)
        if (err_info(d->err)->level == Lerror)
            last = d;
    if (last)
        diag_note(c, last, E_contents_lost, (Loc){0, 0, 0}, g->n, g->bytes, NULL);
    else
        diag(c, g->alone, (Loc){0, 0, 0}, g->n, g->bytes, NULL);
}

void report_lost(Session *s, Ctx *c, Err alone)
{
    char n[24], bytes[24];
    if (!s->lost.n)
        return;
    double b = (double)s->lost.bytes;
    int unit = b >= 1 << 30 ? 3 : b >= 1 << 20 ? 2 : b >= 1 << 10 ? 1 : 0;
    static const char *const name[] = {"B", "KiB", "MiB", "GiB"};
    snprintf(n, sizeof n, "%lld", (long long)s->lost.n);
    snprintf(bytes, sizeof bytes, "%.4g %s", b / (double)(1 << 10 * unit), name[unit]);
    s->lost = (Lost){0, 0};
    GoneReport g = {alone, n, bytes};
    ctx_try(c, do_lost, &g);
}
