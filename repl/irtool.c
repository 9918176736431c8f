/* repl/irtool.c: IR text in, IR text or messages out; no Lua involved. */
#include <stdlib.h>
#include <string.h>

#include "core/base/disk.h"
#include "core/lower/lower.h"
#include "irtool.h"

/* One line about a name that came from outside. */
static void complain(const char *before, const char *name, const char *behind, const char *why)
{
    Str shown = {0};
    str_visible(&shown, name, strlen(name));
    fprintf(stderr, "%s%s%s%s\n", before, shown.s ? shown.s : "", behind, why);
    str_free(&shown);
}

/* The IR text that was read, and its name. */
typedef struct IrSource { const char *file; const Str *text; } IrSource;

/* SourceFn: the files that the IR text speaks of are not at hand. */
static const char *irtool_source_line(void *ud, const char *file, uint32_t line, size_t *len)
{
    const IrSource *k = ud;
    const char *s = k->text->s, *end = k->text->s + k->text->n;
    if (!file || file[0] != '@' || strcmp(file + 1, k->file) != 0)
        return NULL;
    for (; line > 1 && s; line--)
        if ((s = memchr(s, '\n', (size_t)(end - s))) != NULL)
            s++;
    if (!s || s >= end)
        return NULL;
    const char *e = memchr(s, '\n', (size_t)(end - s));
    *len = (size_t)((e ? e : end) - s);
    return s;
}

/* Shows the messages; true when one is an error. */
static bool irtool_show(const ReplOptions *o, const Prog *p, Str *text)
{
    Str out = {0};
    IrSource k = {o->irfile, text};
    for (const Diag *d = p->ctx.diags; d; d = d->next)
        diag_render(&out, &p->ctx, d, o->lang, colour_on(o, stderr), irtool_source_line, &k);
    fwrite(out.s ? out.s : "", 1, out.n, stderr);
    str_free(&out);
    return p->ctx.nerror > 0;
}

static int roundtrip(const ReplOptions *o, const Prog *p)
{
    Str one = {0}, two = {0};
    int code = ExitOk;
    prog_print(p, &one);
    Prog *q = prog_parse_file(&mem_libc, one.s, one.n, o->irfile);
    if (q && !irtool_show(o, q, &one))
        prog_print(q, &two);
    fwrite(one.s ? one.s : "", 1, one.n, stdout);
    if (!q || one.n != two.n || memcmp(one.s ? one.s : "", two.s ? two.s : "", one.n) != 0) {
        complain("", o->irfile, ": the print does not read back to itself", "");
        fwrite(two.s ? two.s : "", 1, two.n, stderr);
        code = ExitBug;
    }
    if (q)
        prog_free(q);
    str_free(&one);
    str_free(&two);
    return code;
}

/* The thread program of the machine o->irlower, or what stands behind the
 * passes that "MACHINE:PASSES" names, see lower.h; notes go to stderr. */
static int irtool_lower(const ReplOptions *o, Prog *p, Str *text)
{
    char name[32];
    const char *until = strchr(o->irlower, ':');
    size_t n = until ? (size_t)(until - o->irlower) : strlen(o->irlower);
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), o->irlower);
    const Machine *m = machine_find(name);
    if (!m) {
        complain("moontile: no machine is called ", name, "", "");
        return ExitUsage;
    }
    Str out = {0};
    bool sound = prog_verify(p, "text") && (p->between.after || prog_check(p));
    if (sound && (!p->machine || until))
        prog_lower(p, m, until ? until + 1 : NULL);
    prog_print(p, &out);
    fwrite(out.s ? out.s : "", 1, out.n, stdout);
    str_free(&out);
    return irtool_show(o, p, text) ? ExitFailed : ExitOk;
}

int irtool_run(const ReplOptions *o)
{
    Str text = {0};
    int code = ExitFailed;
    int why = disk_read(o->irfile, &text);
    if (why) {
        complain("moontile: cannot read ", o->irfile, ": ", strerror(why));
        str_free(&text);
        return ExitUsage;
    }
    Prog *p = prog_parse_file(&mem_libc, text.s ? text.s : "", text.n, o->irfile);
    if (p && p->ctx.nerror > 0) {
        irtool_show(o, p, &text);
    } else if (p && o->irtrip) {
        irtool_show(o, p, &text);
        code = roundtrip(o, p);
    } else if (p && o->irlower) {
        code = irtool_lower(o, p, &text);
    } else if (p) {
        if (p->machine || p->between.after)
            prog_verify(p, "text");
        else if (prog_check(p))
            prog_verify(p, "check");
        code = irtool_show(o, p, &text) ? ExitFailed : ExitOk;
    }
    if (p)
        prog_free(p);
    str_free(&text);
    return code;
}
