/* repl/edit/highlight.c: the colour of each byte of an input. */
#include <string.h>

#include "scan.h"

static void highlight_fill(unsigned char *hue, size_t from, size_t to, enum Hue8 h)
{
    memset(hue + from, (int)h, to - from);
}

/* Our own names, "T.gemm" and "tl.zeros", with their dots. */
static size_t dotted(const char *s, size_t n, bool python, const EditToken *t)
{
    bool (*next)(const char *, size_t, EditToken *) = python ? pytoken_next : token_next;
    size_t end = t->to;
    EditToken name = *t, dot = *t;
    while (next(s, n, &dot) && token_is(s, &dot, ".")) {
        name = dot;
        if (!next(s, n, &name) || name.kind != TokenName)
            break;
        end = name.to;
        dot = name;
    }
    return end;
}

static bool ours(const char *s, bool python, const EditToken *t)
{
    bool named = token_is(s, t, "T") || token_is(s, t, "tl") || (python && token_is(s, t, "tilelang"));
    return t->kind == TokenName && named &&
           (t->from == 0 || s[t->from - 1] != '.');
}

static void code(const char *s, size_t n, bool python, unsigned char *hue)
{
    static const unsigned char of[] = {
        [TokenName] = HuePlain,     [TokenKeyword] = HueKeyword, [TokenNumber] = HueNumber,
        [TokenString] = HueString,  [TokenComment] = HueComment, [TokenSign] = HuePlain,
    };
    EditToken t = {0};
    while ((python ? pytoken_next : token_next)(s, n, &t)) {
        if (ours(s, python, &t)) {
            t.to = dotted(s, n, python, &t);
            highlight_fill(hue, t.from, t.to, HueName);
        } else {
            highlight_fill(hue, t.from, t.to, (enum Hue8)of[t.kind]);
        }
    }
}

/* ":load file", "?name", "name?", "!command": the sign and the first word. */
static void command(const char *s, size_t n, char mode, unsigned char *hue)
{
    size_t i = strspn(s, " \t"), end = i;
    if (mode == '?') {
        highlight_fill(hue, 0, n, HueCommand);
        return;
    }
    if (mode == '!')
        end = i + 1;
    else
        while (end < n && s[end] != ' ' && s[end] != '\n')
            end++;
    highlight_fill(hue, i, end, HueCommand);
}

void highlight(const char *s, size_t n, bool python, size_t point, unsigned char *hue)
{
    char mode = scan_mode(s, n);
    memset(hue, HuePlain, n);
    if (mode) {
        command(s, n, mode, hue);
        return;
    }
    code(s, n, python, hue);
    EditToken one, other;
    if (point != NoPlace && scan_pair(s, n, python, point, &one, &other)) {
        highlight_fill(hue, one.from, one.to, HuePair);
        highlight_fill(hue, other.from, other.to, HuePair);
    }
}
