/* repl/edit/browse.c: walking and searching the history while a text is edited. */
#include "edit.h"

#ifndef USE_LIBEDIT
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "scan.h"

/* Walking ---------------------------------------------------------------------- */

static struct {
    int where;     /* the entry shown; entries_count(): what was typed itself */
    char *typed;   /* that, while an entry is shown */
    size_t prefix; /* bytes of it that entries must start with */
    Str suggested; /* by the session */
} b;

void browse_begin(void)
{
    b.where = entries_count();
    free(b.typed);
    b.typed = NULL;
    b.prefix = 0;
}

bool browse_shows(void)
{
    return b.where < entries_count() && strcmp(entries_at(b.where), rl_line_buffer) == 0;
}

/* An entry that was changed is something newly typed. */
static void note_typed(bool by_prefix)
{
    if (browse_shows())
        return;
    browse_begin();
    b.typed = strdup(rl_line_buffer);
    b.prefix = by_prefix ? (size_t)rl_point : 0;
}

/* Upwards the cursor comes to the first line, downwards to the last, so that
 * the same key goes on to the next entry and the other one into this. */
static void show_entry(int i, int step)
{
    const char *s = i < entries_count() ? entries_at(i) : b.typed ? b.typed : "";
    b.where = i;
    edit_set(s, step < 0 ? strcspn(s, "\n") : NoPlace);
}

bool browse(int step, bool by_prefix)
{
    note_typed(by_prefix);
    for (int i = b.where + step; i >= 0 && i <= entries_count(); i += step) {
        const char *s = i < entries_count() ? entries_at(i) : NULL;
        if (s && by_prefix && b.typed && strncmp(s, b.typed, b.prefix) != 0)
            continue;
        if (s && strcmp(s, rl_line_buffer) == 0)
            continue;
        show_entry(i, step);
        return true;
    }
    return false;
}

void browse_end(bool oldest)
{
    note_typed(false);
    if (entries_count())
        show_entry(oldest ? 0 : entries_count(), oldest ? -1 : 1);
}

/* What the session wants typed comes before what was typed. */
static const char *session_suggestion(void)
{
    b.suggested.n = 0;
    if (edit_host->suggest)
        edit_host->suggest(edit_host->ud, rl_line_buffer, &b.suggested);
    return b.suggested.n ? b.suggested.s : NULL;
}

const char *browse_suggestion(void)
{
    size_t n = (size_t)rl_end;
    if (rl_point != rl_end)
        return NULL;
    const char *wanted = session_suggestion();
    if (wanted || rl_line_buffer[strspn(rl_line_buffer, " \t\n")] == '\0')
        return wanted;
    for (int i = entries_count(); i-- > 0;) {
        const char *s = entries_at(i);
        if (strncmp(s, rl_line_buffer, n) == 0 && s[n])
            return s + n;
    }
    return NULL;
}

/* Searching --------------------------------------------------------------------- */

static struct {
    bool on, missing;  /* missing: the pattern is in no further entry */
    int step, at;      /* at: the entry found; entries_count(): none yet */
    Str pattern, last; /* last: of the search before */
} q;

bool search_on(void) { return q.on; }

static void set_pattern(const char *s, size_t n)
{
    q.pattern.n = 0;
    str_add(&q.pattern, s, n);
}

static const char *pattern(void) { return q.pattern.n ? q.pattern.s : ""; }

/* A pattern without capitals finds them too. */
static const char *found_in(const char *s)
{
    for (const char *p = pattern(); *p; p++)
        if (isupper((unsigned char)*p))
            return strstr(s, pattern());
    return strcasestr(s, pattern());
}

/* The next entry from i on that has the pattern, and is no copy of this one. */
static void browse_from(int i)
{
    const char *now = q.at < entries_count() ? entries_at(q.at) : NULL;
    q.missing = false;
    if (!q.pattern.n)
        return;
    for (; i >= 0 && i < entries_count(); i += q.step) {
        const char *s = entries_at(i);
        if (found_in(s) && (i == q.at || !now || strcmp(s, now) != 0)) {
            q.at = i;
            return;
        }
    }
    q.missing = true;
}

static void look_on(void)
{
    int from = q.at + q.step;
    if (!q.pattern.n && q.last.n) {
        set_pattern(q.last.s, q.last.n);
        from = q.at < entries_count() ? q.at : entries_count() - 1;
    }
    browse_from(from);
}

void search_start(int step)
{
    q.on = true;
    q.step = step;
    q.at = b.where;
    if (q.at < entries_count() && strcmp(entries_at(q.at), rl_line_buffer) != 0)
        q.at = entries_count();
    q.missing = false;
    set_pattern("", 0);
}

/* The pattern's last character goes, and the search starts anew. */
static void drop_last(void)
{
    size_t n = q.pattern.n;
    while (n > 0 && ((unsigned char)q.pattern.s[--n] & 0xc0) == 0x80)
        ;
    q.pattern.s[n] = '\0';
    q.pattern.n = n;
    q.at = entries_count();
    browse_from(q.step < 0 ? entries_count() - 1 : 0);
}

void search_leave(bool keep)
{
    if (!q.on)
        return;
    size_t point, length;
    const char *s = search_text(&point, &length);
    q.on = false;
    if (q.pattern.n) {
        q.last.n = 0;
        str_add(&q.last, q.pattern.s, q.pattern.n);
    }
    if (!keep || !s)
        return;
    note_typed(false);
    b.where = q.at;
    edit_set(s, point);
}

bool search_key(unsigned char c)
{
    enum { CtrlG = 7, CtrlR = 18, CtrlS = 19, Delete = 127 };
    char byte = (char)c;
    if (c == CtrlR || c == CtrlS) {
        q.step = c == CtrlR ? -1 : 1;
        look_on();
    } else if (c == Delete || c == '\b') {
        if (q.pattern.n)
            drop_last();
    } else if (c == CtrlG) {
        search_leave(false);
    } else if (c >= 0x20) {
        str_add(&q.pattern, &byte, 1);
        browse_from(q.at < entries_count() ? q.at : q.step < 0 ? entries_count() - 1 : 0);
    } else {
        search_leave(true);
        return false;
    }
    return true;
}

const char *search_text(size_t *point, size_t *length)
{
    if (q.at >= entries_count())
        return NULL;
    const char *s = entries_at(q.at), *at = found_in(s);
    *point = at ? (size_t)(at - s) : 0;
    *length = at ? q.pattern.n : 0;
    return s;
}

void search_line(Str *out)
{
    static const char *const words[2][2][NLang] = {
        {{"search back: ", "向前搜索："}, {"nothing older has: ", "更早的历史中没有："}},
        {{"search on: ", "向后搜索："}, {"nothing newer has: ", "更新的历史中没有："}},
    };
    enum Lang lang = edit_host->lang(edit_host->ud);
    Str s = {0};
    str_fmt(&s, "%s%s", words[q.step > 0][q.missing][lang], pattern());
    str_puts(out, ink(InkNote));
    cut_line(out, s.s ? s.s : "", s.n, paint_width() - 1);
    str_puts(out, ink(InkOff));
    str_free(&s);
}

void edit_history_free(void)
{
    free(b.typed);
    b.typed = NULL;
    str_free(&b.suggested);
    str_free(&q.pattern);
    str_free(&q.last);
}
#endif
