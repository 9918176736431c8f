/* repl/edit/highlight.c: the colour of each byte of an input. */
#include <string.h>

#include "scan.h"

static void highlight_fill(unsigned char *hue, size_t from, size_t to, enum Hue8 h)
{
    memset(hue + from, (int)h, to - from);
}

/* The dialect's own names, "T.gemm" and "tl.zeros", with their dots. */
static size_t dotted(const char *s, size_t n, const EditToken *t)
{
    size_t end = t->to;
    EditToken name = *t, dot = *t;
    while (token_next(s, n, &dot) && token_is(s, &dot, ".")) {
        name = dot;
        if (!token_next(s, n, &name) || name.kind != TokenName)
            break;
        end = name.to;
        dot = name;
    }
    return end;
}

static bool ours(const char *s, const EditToken *t)
{
    return t->kind == TokenName && (token_is(s, t, "T") || token_is(s, t, "tl")) &&
           (t->from == 0 || s[t->from - 1] != '.');
}

static void code(const char *s, size_t n, unsigned char *hue)
{
    static const unsigned char of[] = {
        [TokenName] = HuePlain,     [TokenKeyword] = HueKeyword, [TokenNumber] = HueNumber,
        [TokenString] = HueString,  [TokenComment] = HueComment, [TokenSign] = HuePlain,
    };
    EditToken t = {0};
    while (token_next(s, n, &t)) {
        if (ours(s, &t)) {
            t.to = dotted(s, n, &t);
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

void highlight(const char *s, size_t n, size_t point, unsigned char *hue)
{
    char mode = scan_mode(s, n);
    memset(hue, HuePlain, n);
    if (mode) {
        command(s, n, mode, hue);
        return;
    }
    code(s, n, hue);
    EditToken one, other;
    if (point != NoPlace && scan_pair(s, n, point, &one, &other)) {
        highlight_fill(hue, one.from, one.to, HuePair);
        highlight_fill(hue, other.from, other.to, HuePair);
    }
}
