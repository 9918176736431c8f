/* repl/edit/paste.c: pasted transcripts lose their prompts, pasted blocks become inputs. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "paste.h"
#include "scan.h"

void inputs_free(Inputs *in)
{
    for (int i = 0; i < in->n; i++)
        free(in->text[i]);
    free(in->text);
    free(in->rest);
    *in = (Inputs){0};
}

void inputs_add(Inputs *in, const char *s, size_t n)
{
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    if (in->n == in->cap) {
        int cap = in->cap ? 2 * in->cap : 8;
        char **more = realloc(in->text, (size_t)cap * sizeof *more);
        if (!more)
            return;
        in->text = more;
        in->cap = cap;
    }
    char *copy = n ? strndup(s, n) : NULL;
    if (copy)
        in->text[in->n++] = copy;
}

/* An escape sequence at i: its last byte, else i. */
static size_t skip_escape(const char *s, size_t n, size_t i)
{
    size_t k = i + 2;
    if (k >= n || s[i] != '\033' || s[i + 1] != '[')
        return i;
    while (k < n && (unsigned char)s[k] >= 0x20 && (unsigned char)s[k] < 0x40)
        k++;
    return k < n ? k : n - 1;
}

/* Newlines as ours, no colours, no control characters but tabs. */
static void normalise(Str *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t escape = skip_escape(s, n, i);
        unsigned char c = (unsigned char)s[i];
        if (escape != i) {
            i = escape;
            continue;
        }
        if (c == '\r') {
            str_puts(out, "\n");
            i += i + 1 < n && s[i + 1] == '\n';
        } else if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f)) {
            str_add(out, s + i, 1);
        }
    }
}

/* Prompts ----------------------------------------------------------------------- */

/* How a line starts: "7> ", "py 7> ", ">>> ", "> ". */
enum PromptStyle { NoPrompt, Numbered, Angles, Angle };

typedef struct Transcript Transcript;
struct Transcript {
    enum PromptStyle style;
    size_t indent; /* of its first prompt */
};

/* Is there `sign`, and a blank or the line's end behind it?  Then where the
 * text starts, else 0. */
static size_t behind_sign(const char *s, size_t n, size_t i, const char *sign)
{
    size_t k = strlen(sign);
    if (n - i < k || memcmp(s + i, sign, k) != 0)
        return 0;
    i += k;
    if (i == n)
        return i;
    return s[i] == ' ' ? i + 1 : 0;
}

static size_t indent_of(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] == ' ')
        i++;
    return i;
}

/* The prompt of an input's first line. */
static size_t first_prompt(const char *s, size_t n, enum PromptStyle *style)
{
    size_t i = indent_of(s, n), at;
    bool python = n - i > 3 && memcmp(s + i, "py ", 3) == 0 && isdigit((unsigned char)s[i + 3]);
    i += python ? 3 : 0;
    size_t digits = i;
    while (digits < n && isdigit((unsigned char)s[digits]))
        digits++;
    *style = Numbered;
    if (digits > i)
        return behind_sign(s, n, digits, ">");
    *style = Angles;
    if ((at = behind_sign(s, n, i, ">>>")) != 0)
        return at;
    *style = Angle;
    return behind_sign(s, n, i, ">");
}

/* The prompt of its other lines: " > ", "for ( > ", ">> ", "... ". */
static size_t next_prompt(const char *s, size_t n)
{
    static const char *const words[] = {
        "function", "for", "while", "if", "do", "repeat", "(", "[[", "[", "{", "--[[", "+",
        "def", "class", "elif", "else", "with", "try", "except", "finally", "\"\"\"",
    };
    size_t i = indent_of(s, n), at;
    if ((at = behind_sign(s, n, i, "...")) != 0 || (at = behind_sign(s, n, i, ">>")) != 0)
        return at;
    for (bool any = true; any;) {
        any = false;
        for (size_t k = 0; k < COUNT(words) && !any; k++) {
            size_t len = strlen(words[k]);
            if (n - i > len && memcmp(s + i, words[k], len) == 0 && s[i + len] == ' ') {
                i += len + 1;
                any = true;
            }
        }
    }
    return behind_sign(s, n, i, ">");
}

/* A line of a transcript: where its text starts, 0 when it is output.  *first:
 * does an input start there? */
static size_t paste_prompt_of(const Transcript *t, const char *s, size_t n, bool *first)
{
    enum PromptStyle style;
    size_t at = first_prompt(s, n, &style);
    *first = at && style == t->style && (style != Angle || indent_of(s, n) == t->indent);
    return *first ? at : next_prompt(s, n);
}

static bool is_transcript(const char *s, size_t n, Transcript *t)
{
    while (n && *s == '\n')
        s++, n--;
    const char *eol = memchr(s, '\n', n);
    size_t len = eol ? (size_t)(eol - s) : n;
    t->indent = indent_of(s, len);
    return first_prompt(s, len, &t->style) != 0;
}

/* Its inputs; the last one stays to be edited when nothing stands behind it. */
static void read_transcript(const Transcript *t, const char *s, size_t n, Inputs *out)
{
    Str text = {0};
    bool whole = false; /* is the text's last line a whole one? */
    for (size_t i = 0, len; i < n; i += len + 1) {
        const char *eol = memchr(s + i, '\n', n - i);
        len = eol ? (size_t)(eol - s) - i : n - i;
        bool first;
        size_t at = paste_prompt_of(t, s + i, len, &first);
        whole = eol != NULL || at == 0;
        if (at && first && text.n) {
            inputs_add(out, text.s, text.n);
            text.n = 0;
        }
        if (!at)
            continue;
        if (text.n)
            str_puts(&text, "\n");
        str_add(&text, s + i + at, len - at);
    }
    if (text.n && whole)
        inputs_add(out, text.s, text.n);
    else if (text.n)
        out->rest = strndup(text.s, text.n);
    str_free(&text);
}

/* Blocks -------------------------------------------------------------------------- */

/* Is nothing open at place `at`?  Reads on from where c is. */
static bool closed(EditScan *c, size_t at)
{
    for (EditToken t = c->token; token_next(c->s, c->n, &t) && t.from < at; t = c->token)
        scan_next(c);
    return c->nopen == 0 && c->token.to <= at;
}

/* Does the text end in an empty line, and is the next line that has something indented?  Then a block of
 * Python goes on. */
static bool paste_goes_on(const Str *text, const char *next)
{
    size_t n = text->n;
    while (n && (text->s[n - 1] == ' ' || text->s[n - 1] == '\t'))
        n--;
    next += strspn(next, "\n");
    return n && text->s[n - 1] == '\n' && (*next == ' ' || *next == '\t');
}

/* What the text, of lines whose last one ends at place `at` of c, is. */
static enum LineState lines_are(const Str *text, EditScan *c, size_t at, PasteState state, void *ud)
{
    enum LineState st = LineReady;
    if (!scan_mode(text->s, text->n))
        st = closed(c, at) ? state(ud, text->s, false) : LineMore;
    return st == LineReady && paste_goes_on(text, c->s + at) ? LineMore : st;
}

/* Every line, or as many as it takes, is an input.  False when one is wrong.
 * Only where nothing is open the compiler is asked, which reads all of it. */
static bool by_lines(const char *s, PasteState state, void *ud, Inputs *out)
{
    Str text = {0};
    EditScan c;
    scan_begin(&c, s, strlen(s), false);
    enum LineState st = LineReady;
    for (size_t i = 0, len; s[i] && st != LineWrong; i += len + (s[i + len] == '\n')) {
        len = strcspn(s + i, "\n");
        if (text.n && scan_mode(s + i, len) && state(ud, text.s, true) == LineReady) {
            inputs_add(out, text.s, text.n); /* a command ends a block */
            text.n = 0;
        }
        if (text.n)
            str_puts(&text, "\n");
        str_add(&text, s + i, len);
        if (!text.n)
            continue;
        st = lines_are(&text, &c, i + len, state, ud);
        if (st == LineReady) {
            inputs_add(out, text.s, text.n);
            text.n = 0;
        }
    }
    if (st == LineMore && text.n && state(ud, text.s, true) == LineReady) {
        inputs_add(out, text.s, text.n);
    } else if (st == LineMore && text.n) { /* its newline is there: typing goes on below it */
        str_puts(&text, "\n");
        out->rest = strndup(text.s, text.n);
    }
    str_free(&text);
    return st != LineWrong;
}

static void read_block(Str *text, PasteState state, void *ud, Inputs *out)
{
    bool ended = false;
    if (!strchr(text->s, '\n')) { /* as if typed */
        out->rest = strdup(text->s);
        return;
    }
    while (text->n && strchr(" \t\n", text->s[text->n - 1])) {
        ended = ended || text->s[text->n - 1] == '\n';
        text->s[--text->n] = '\0';
    }
    if (!text->n)
        return;
    if (!ended || !strchr(text->s, '\n')) {
        out->rest = strdup(text->s);
    } else if (!scan_mode(text->s, strcspn(text->s, "\n")) && state(ud, text->s, true) == LineReady) {
        inputs_add(out, text->s, text->n);
    } else if (!by_lines(text->s, state, ud, out)) {
        inputs_free(out);
        out->rest = strdup(text->s);
    }
}

void paste_inputs(const char *s, size_t n, PasteState state, void *ud, Inputs *out)
{
    Transcript t;
    Str text = {0};
    normalise(&text, s, n);
    if (text.n && is_transcript(text.s, text.n, &t))
        read_transcript(&t, text.s, text.n, out);
    else if (text.n)
        read_block(&text, state, ud, out);
    str_free(&text);
}

char *paste_text(const char *s, size_t n)
{
    Transcript t;
    Str text = {0}, joined = {0};
    normalise(&text, s, n);
    if (!text.n || !is_transcript(text.s, text.n, &t))
        return text.s;
    Inputs in = {0};
    read_transcript(&t, text.s, text.n, &in);
    for (int i = 0; i < in.n; i++)
        str_fmt(&joined, "%s%s", i ? "\n" : "", in.text[i]);
    if (in.rest)
        str_fmt(&joined, "%s%s", in.n ? "\n" : "", in.rest);
    inputs_free(&in);
    str_free(&text);
    return joined.s;
}
