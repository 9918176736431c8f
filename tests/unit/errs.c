/* The table of messages: codes and names are unique, every text exists in both
 * languages with the same arguments, titles are lower case without full stop; Chinese
 * texts, and the words that fill them, are Chinese but for names, code and units. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/base.h"
#include "err/autograd.h"
#include "err/build.h"
#include "err/check.h"
#include "err/cuda.h"
#include "err/dialect.h"
#include "err/doctor.h"
#include "err/gpu.h"
#include "err/host.h"
#include "err/hostops.h"
#include "err/ir.h"
#include "err/judge.h"
#include "err/kernel.h"
#include "err/lang.h"
#include "err/launch.h"
#include "err/layouts.h"
#include "err/lower.h"
#include "err/packs.h"
#include "err/order.h"
#include "err/pipes.h"
#include "err/puzzles.h"
#include "err/python.h"
#include "err/python_convert.h"
#include "err/python_kernel.h"
#include "err/python_run.h"
#include "err/python_scope.h"
#include "err/remote.h"
#include "err/room.h"
#include "err/run.h"
#include "err/serve.h"
#include "err/server.h"
#include "err/sim.h"
#include "err/target.h"

static int failures;

static void fail(const ErrInfo *e, const char *why)
{
    printf("%s (%s): %s\n", e->id, e->code, why);
    failures++;
}

/* Bit n set: {n} occurs. */
static unsigned args(const char *s)
{
    unsigned m = 0;
    for (; *s; s++)
        if (s[0] == '{' && isdigit((unsigned char)s[1]) && s[2] == '}')
            m |= 1u << (s[1] - '0');
    return m;
}

/* A choice between Lua and Python that is not closed stays as it is written. */
static void habits(const ErrInfo *e, const char *text)
{
    for (int python = 0; python < 2; python++) {
        Str s = {0};
        diag_written(&s, text, python);
        if (s.s && strstr(s.s, "{0|"))
            fail(e, "a broken {0|lua|python}");
        str_free(&s);
    }
}

static void texts(const ErrInfo *e, const char *const by[NLang], const char *what)
{
    habits(e, by[LANGen]);
    habits(e, by[LANGzh]);
    if ((by[LANGen][0] == '\0') != (by[LANGzh][0] == '\0'))
        fail(e, what);
    if (args(by[LANGen]) != args(by[LANGzh]))
        fail(e, "the languages use different arguments");
    if (args(by[LANGen]) >> (DiagArgs + 1))
        fail(e, "an argument beyond {6}");
}

static size_t count(const char *s, char c)
{
    size_t n = 0;
    for (; *s; s++)
        n += *s == c;
    return n;
}

/* Words that no name, code or unit has: where one stands outside of back-ticks, a
 * sentence is English. */
static bool english(const char *zh)
{
    static const char *const words[] = {
        "the", "is", "are", "was", "were", "of", "than", "that", "which", "its", "has", "have",
        "this", "more", "reached", "needs", "must", "with", "cannot", "missing",
    };
    bool code = false;
    for (const char *s = zh; *s; s++) {
        size_t n = 0;
        code ^= *s == '`';
        while (isalpha((unsigned char)s[n]) || s[n] == '_')
            n++;
        for (size_t i = 0; n && !code && i < COUNT(words); i++)
            if (n == strlen(words[i]) && memcmp(s, words[i], n) == 0)
                return true;
        s += n ? n - 1 : 0;
    }
    return false;
}

static bool chinese(const char *s)
{
    while (*s && !((unsigned char)*s & 0x80))
        s++;
    return *s;
}

static void phrases(void)
{
    const char *en, *zh;
    Err of;
    for (size_t i = 0; (en = phrase_row(i, &of, &zh)); i++) {
        const ErrInfo *e = err_info(of);
        if (count(en, '%') != count(zh, '%') || count(en, '%') > 4 || strstr(en, "%%"))
            fail(e, en);
        if (!chinese(zh) || english(zh))
            fail(e, zh);
        if (of == E_none && !strchr(en, ' '))
            fail(e, "a phrase of one word belongs to a message");
        Str out = {0};
        if (count(en, '%') == 0 && (!phrase_zh(&out, of, en) || strcmp(out.s, zh) != 0))
            fail(e, "a phrase before this one takes its place");
        str_free(&out);
    }
}

/* What a message says in Chinese. */
static void said(Err e, const char *a, const char *b, const char *c, const char *want)
{
    Diag d = {.err = e, .arg = {a, b, c}};
    Str out = {0};
    diag_text(&out, &d, err_info(e)->label[LANGzh], LANGzh);
    if (!out.s || strcmp(out.s, want) != 0)
        fail(err_info(e), out.s ? out.s : "nothing");
    str_free(&out);
}

/* The highest {n} of the texts. */
static int holes(const char *s)
{
    int most = 0;
    for (; *s; s++)
        if (s[0] == '{' && isdigit((unsigned char)s[1]) && (s[2] == '}' || s[2] == '|') &&
            s[1] - '0' > most)
            most = s[1] - '0';
    return most;
}

/* A row as it is written, and the constants that the build makes of it. */
static const struct Row {
    const char *id, *texts;
    Err is;
    int holes;
} rows[] = {
#define ERR(row, code, level, en, zh, label_en, label_zh, help_en, help_zh) \
    {#row, en zh label_en label_zh help_en help_zh, E_##row, Holes_E_##row},
#include "core/base/errs.h"
#undef ERR
};

static void constants(void)
{
    Err e = E_none;
    for (const struct Row *r = rows; r < rows + COUNT(rows); r++) {
        e = err_next(e);
        if (e != r->is || err_by_id(r->id) != r->is || err_row(r->is) != e ||
            strcmp(err_info(r->is)->id, r->id) != 0)
            fail(err_info(r->is), "another row");
        if (holes(r->texts) != r->holes)
            fail(err_info(r->is), "another number of arguments");
    }
    if (err_next(e) != E_none)
        fail(err_info(E_none), "more rows");
    const uint64_t none[] = {0, (uint64_t)e + 1, ErrGroup, 1000 * ErrGroup, UINT64_MAX};
    for (size_t i = 0; i < COUNT(none); i++)
        if (err_row(none[i]) != E_none)
            fail(err_info(E_none), "a number of no row");
}

int main(void)
{
    phrases();
    said(E_memory, "more", "reached", NULL, "所需字节数：更多；上限：已达到");
    said(E_memory, "4096", "1024", NULL, "所需字节数：4096；上限：1024");
    said(E_device_full, "more", "more", "1 GiB", "需要更多，? 中尚余 1 GiB");
    said(E_order_mended, "barrier", "7", "barrier",
         "此处对 `barrier` 的访问与第 7 行的访问之间没有次序；对成品程序的复查发现了这一点");
    said(E_order_open, "s", "7", "fence", "执行这些访问的线程无法全部在此处会合以执行栅栏");
    said(E_epilogue_direct, "C", "128 x 64, 4 warps", NULL, "未经共享内存由 TMA 写回：128 x 64，4 个线程束");
    said(E_layout_annotated, "S", "an axis is too long", NULL, "某个轴过长");
    said(E_serve_request, "\"at\" is not a number from 0", NULL, NULL, "\"at\" 不是从 0 起的数");
    constants();
    for (Err of = E_none; (of = err_next(of)) != E_none;) {
        const ErrInfo *e = err_info(of);
        for (Err j = of; (j = err_next(j)) != E_none;) {
            if (strcmp(e->code, err_info(j)->code) == 0)
                fail(e, err_info(j)->id);
            if (strcmp(e->id, err_info(j)->id) == 0)
                fail(e, "name used twice");
        }
        texts(e, e->title, "title in one language only");
        texts(e, e->label, "label in one language only");
        texts(e, e->help, "help in one language only");
        if (english(e->title[LANGzh]) || english(e->label[LANGzh]) || english(e->help[LANGzh]))
            fail(e, "English in Chinese");
        size_t n = strlen(e->title[LANGen]);
        if (n == 0 || e->title[LANGen][n - 1] == '.')
            fail(e, "title is empty or ends in a full stop");
        if (isupper((unsigned char)e->title[LANGen][0]) && islower((unsigned char)e->title[LANGen][1]) &&
            strncmp(e->title[LANGen], "NaN", 3) != 0)
            fail(e, "title starts with a capital");
        if (err_by_code(e->code) != of || err_by_id(e->id) != of)
            fail(e, "cannot be looked up");
    }
    return failures != 0;
}
