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

enum { ReportArgs = DiagArgs };

/* Takes the first field off *at, which may be NULL; fields end at DEV_SEP. */
static char *session_report_field(char **at)
{
    char *s = *at, *end = s ? strchr(s, *DEV_SEP) : NULL;
    if (end)
        *end++ = '\0';
    *at = end;
    return s;
}

/* "file:line:col"; the file may hold colons itself. */
static Loc parse_location(Ctx *c, char *s)
{
    Loc l = {0, 0, 0};
    char *col = s ? strrchr(s, ':') : NULL;
    if (!col)
        return l;
    *col = '\0';
    char *line = strrchr(s, ':');
    if (!line)
        return l;
    *line = '\0';
    l.line = (uint32_t)strtoul(line + 1, NULL, 10);
    l.col = (uint16_t)strtoul(col + 1, NULL, 10);
    l.file = *s ? ctx_file(c, s) : 0;
    return l;
}

typedef struct ToldReport ToldReport;
struct ToldReport { char *text; const char *file; }; /* one message: see DevHost.report */

/* One line of a message, as a new one or as a note about d. */
static Diag *told_line(Ctx *c, char *text, const char *file, Diag *d)
{
    const char *a[ReportArgs] = {0};
    char *id = session_report_field(&text);
    Err e = err_by_id(id[0] == '@' ? id + 1 : id);
    Loc l = parse_location(c, session_report_field(&text));
    if (e == E_none)
        return d;
    if (l.line && !l.file && file)
        l.file = ctx_file(c, file);
    for (int i = 0; i < ReportArgs && text; i++)
        a[i] = session_report_field(&text);
    if (d)
        diag_note(c, d, e, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    else
        d = diag(c, e, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    return d;
}

static void do_told(Ctx *c, void *ud)
{
    ToldReport *t = ud;
    Diag *d = NULL;
    for (char *s = t->text, *end; s; s = end) {
        if ((end = strchr(s, '\n')))
            *end++ = '\0';
        if (*s)
            d = told_line(c, s, t->file, d);
    }
}

/* Adds what the device has reported so far to c. */
void deliver(Ctx *c, const Board *b, const Module *m)
{
    uint32_t at = 0;
    for (const char *s; (s = board_next(b, &at));) {
        ToldReport t = {strdup(s), m ? m->file : NULL};
        if (t.text)
            ctx_try(c, do_told, &t);
        free(t.text);
    }
}

const char *name_of(const Session *s, const Module *m)
{
    return m ? m->name : s->target->name;
}

const char *refusal_text(const char *text)
{
    text += text[0] == '!';
    return text + (text[0] == '?');
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

/* A Mfail: see struct Device.  What is no row's id is a bug of ours. */
bool report_device(Session *s, Ctx *c, const Module *m, uint32_t line, const char *text)
{
    char buf[4200];
    if (strcmp(text, "@reported") == 0 && c->nerror)
        return false;
    ReportText r = {.e = E_bug, .l = {0, 0, line}, .file = m ? m->file : NULL, .arg = {text}};
    snprintf(buf, sizeof buf, "%s", text);
    if (buf[0] == '@') {
        bool all = buf[1] == '=';
        char *at = strchr(buf, *DEV_SEP);
        if (at)
            *at++ = '\0';
        Err e = err_by_id(buf + 1 + all);
        int n = 0;
        if (e != E_none && e != E_bug) {
            r.e = e;
            r.arg[0] = all ? NULL : name_of(s, m);
            n = !all;
        }
        for (; e != E_none && at && n < DiagArgs; n++) {
            r.arg[n] = at;
            if ((at = strchr(at, *DEV_SEP)))
                *at++ = '\0';
        }
        r.file = session_report_file_of(m, line, r.arg[1]);
    }
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
    const Device *d = s->target->device;
    if (WTERMSIG(status) == SIGABRT && d && d->aborts)
        return report(c, err_by_id(d->aborts), name, NULL, NULL);
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
