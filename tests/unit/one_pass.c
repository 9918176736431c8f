/* Lowering as a chain of texts.  Each pass runs alone on what the one before has left, printed and
 * read back: what comes out is what lowering in one go gives, on each machine; and the text behind
 * each pass is one that its reader prints again.
 *
 *     one_pass                      the programs of tests/lower/lib and tests/ir
 *     one_pass MACHINE FILE..       these */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/disk.h"
#include "core/ir/ir.h"
#include "core/lower/lower.h"
#include "../../targets/targets.h"

enum { MaxFiles = 300 };

static char *file[MaxFiles];
static int nfile, bad;

static bool same(const Str *a, const Str *b)
{
    return a->n == b->n && memcmp(a->s ? a->s : "", b->s ? b->s : "", a->n) == 0;
}

static void complain(const char *name, const char *machine, const char *what, const char *pass,
                     const Prog *p)
{
    Str s = {0};
    for (const Diag *d = p ? p->ctx.diags : NULL; d; d = d->next)
        if (err_info(d->err)->level == Lerror)
            diag_render(&s, &p->ctx, d, LANGen, false, NULL, NULL);
    fprintf(stderr, "one_pass: %s, %s: %s `%s`\n%s", name, machine, what, pass, s.s ? s.s : "");
    str_free(&s);
    bad++;
}

/* The text behind the passes `which` of the program that text holds; without: NULL. */
static bool step(const char *name, const Str *text, const Machine *m, const char *which, Str *out,
                 bool told)
{
    Prog *p = prog_parse_file(NULL, text->s, text->n, name);
    if (!p)
        return false;
    bool ok = p->ctx.nerror == 0 && prog_verify(p, "text") && (p->between.after || prog_check(p)) &&
              !p->machine && prog_lower(p, m, which);
    if (ok)
        prog_print(p, out);
    else if (told)
        complain(name, m->name, "it fails at", which, p);
    prog_free(p);
    return ok;
}

static void reads_back(const char *name, const Str *text, const Machine *m, const char *pass)
{
    Prog *p = prog_parse_file(NULL, text->s, text->n, name);
    Str again = {0};
    if (!p)
        return;
    prog_print(p, &again);
    if (p->ctx.nerror || !same(text, &again))
        complain(name, m->name, "another text when it is read, behind", pass, p);
    str_free(&again);
    prog_free(p);
}

/* Pass after pass from text on; false: one has failed. */
static bool chain(const char *name, Str *text, const Machine *m)
{
    bool ok = true;
    for (int i = 0; ok && prog_pass(i); i++) {
        char which[40];
        Str next = {0};
        snprintf(which, sizeof which, prog_pass(i + 1) ? "=%s" : "%s..", prog_pass(i));
        ok = step(name, text, m, which, &next, true);
        if (ok)
            reads_back(name, &next, m, prog_pass(i));
        str_free(text);
        *text = next;
    }
    return ok;
}

/* true: m can run it. */
static bool compare(const char *name, const Machine *m)
{
    Str text = {0}, whole = {0};
    if (disk_read(name, &text) || !step(name, &text, m, NULL, &whole, false)) {
        str_free(&text);
        return false;
    }
    if (chain(name, &text, m) && !same(&text, &whole))
        complain(name, m->name, "another program than in one go, behind", "unroll", NULL);
    str_free(&text);
    str_free(&whole);
    return true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void gather(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) && nfile < MaxFiles;) {
        size_t n = strlen(e->d_name), all = n + strlen(folder) + 2;
        bool skip = strcmp(e->d_name, "retry_ends.ir") == 0; /* a sum's fragments have no order that
                                                              * a text keeps, rounds.c asks for one */
        if (n < 4 || strcmp(e->d_name + n - 3, ".ir") || skip)
            continue;
        file[nfile] = malloc(all);
        if (file[nfile])
            snprintf(file[nfile++], all, "%s/%s", folder, e->d_name);
    }
    if (d)
        closedir(d);
}

int main(int argc, char **argv)
{
    static const char *const folder[] = {
        "tests/lower/lib", "tests/lower/lib/steps", "tests/ir",
        "../lower/lib", "../lower/lib/steps", "../ir",
    };
    static const char *const machine[] = {"sm_90a", "sm_80", "sm_75", "c500", "gfx942"};
    targets_init();
    if (argc > 2) {
        const Machine *m = machine_find(argv[1]);
        for (int i = 2; m && i < argc; i++)
            if (!compare(argv[i], m))
                printf("%s: not for %s\n", argv[i], m->name);
        return bad || !m;
    }
    for (size_t i = 0; i < COUNT(folder); i++)
        gather(folder[i]);
    qsort(file, (size_t)nfile, sizeof *file, by_name);
    for (size_t k = 0; k < COUNT(machine); k++) {
        int ran = 0;
        for (int i = 0; i < nfile; i++)
            if (k < 2 || i % 3 == (int)k % 3) /* the small machines share them out */
                ran += compare(file[i], machine_find(machine[k]));
        printf("%s: %d programs\n", machine[k], ran);
    }
    for (int i = 0; i < nfile; i++)
        free(file[i]);
    return bad || nfile == 0;
}
