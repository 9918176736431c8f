/* lua/pyreader/python_habit.c: what people write who have Lua, C or Python 2 in their fingers.
 *
 * Looked at only where the text is wrong already, so that a name such as `local` stays a name. */
#include <string.h>

#include "err/python.h"
#include "python_p.h"

/* Characters of other languages and keyboards. */
static const struct { const char *text, *help; } chars[] = {
    {"&&", "write `and`"},   {"||", "write `or`"},    {"!", "write `not`"},    {"?", "write `a if c else b`"},
    {"`", "write `repr(x)`"}, {"，", "write `,`"},    {"（", "write `(`"},     {"）", "write `)`"},
    {"：", "write `:`"},     {"；", "write `;`"},     {"“", "write `\"`"},     {"”", "write `\"`"},
    {"＝", "write `=`"},     {"【", "write `[`"},     {"】", "write `]`"},     {"［", "write `[`"},
    {"］", "write `]`"},     {"｛", "write `{`"},     {"｝", "write `}`"},     {"‘", "write `'`"},
    {"’", "write `'`"},      {"、", "write `,`"},     {"。", "write `.`"},     {"＋", "write `+`"},
    {"－", "write `-`"},     {"–", "write `-`"},      {"—", "write `-`"},      {"＊", "write `*`"},
    {"×", "write `*`"},      {"÷", "write `/`"},      {"／", "write `/`"},     {"＜", "write `<`"},
    {"＞", "write `>`"},     {"≤", "write `<=`"},     {"≥", "write `>=`"},     {"≠", "write `!=`"},
    {"．", "write `.`"},     {"？", "write `a if c else b`"},                   {"！", "write `not`"},
    {"−", "write `-`"},      {"→", "write `->`"},     {"％", "write `%`"},
};

const char *py_habit_char(const char *s, const char *e, size_t *n)
{
    for (size_t i = 0; i < COUNT(chars); i++) {
        *n = strlen(chars[i].text);
        if ((size_t)(e - s) >= *n && memcmp(s, chars[i].text, *n) == 0)
            return chars[i].help;
    }
    return NULL;
}

/* Two signs side by side, the second at hand or both behind what was read. */
static const struct { uint8_t first, second; const char *text, *help; } pairs[] = {
    {PTbnot, PTassign, "`~=`", "write `!=`"},     {PTband, PTband, "`&&`", "write `and`"},
    {PTbor, PTbor, "`||`", "write `or`"},         {PTlt, PTgt, "`<>`", "write `!=`"},
    {PTeq, PTassign, "`===`", "write `==`"},      {PTne, PTassign, "`!==`", "write `!=`"},
    {PTassign, PTgt, "`=>`", "write `>=`, or `:` behind `lambda x`"},
    {PTassign, PTlt, "`=<`", "write `<=`"},       {PTadd, PTadd, "`++`", "write `+= 1`"},
    {PTdot, PTdot, "`..`", "write `+`, or an f-string: f\"{a}{b}\""},
    {PTdiv, PTmul, "`/*`", "a comment begins with `#`"},
};

/* Words in front of another, which begin a statement elsewhere. */
static const struct { const char *word, *help; } starts[] = {
    {"local", "remove it: an assignment makes the variable"},
    {"var", "remove it: an assignment makes the variable"},
    {"let", "remove it: an assignment makes the variable"},
    {"const", "remove it: an assignment makes the variable"},
    {"auto", "remove it: an assignment makes the variable"},
    {"int", "write `x = 1`: variables have no types here"},
    {"float", "write `x = 1.0`: variables have no types here"},
    {"double", "write `x = 1.0`: variables have no types here"},
    {"bool", "write `x = True`: variables have no types here"},
    {"function", "write `def name(x):`"},
    {"func", "write `def name(x):`"},
    {"fn", "write `def name(x):`"},
    {"void", "write `def name(x):`"},
    {"elseif", "write `elif`"},
    {"elsif", "write `elif`"},
    {"goto", "write a loop with `break` or `continue`"},
    {"throw", "write `raise`"},
    {"catch", "write `except`"},
    {"foreach", "write `for x in y:`"},
    {"unless", "write `if not`"},
    {"until", "write `while not`"},
    {"switch", "write `if`, `elif` and `else`"},
    {"new", "remove it: write Class()"},
    {"include", "write `import`"},
    {"require", "write `import`"},
};

/* Statements of Python 2. */
static const char *const python2[] = {"print", "exec"};

static bool is(const PyReader *p, uint32_t tok, const char *word)
{
    size_t n = strlen(word);
    return py_kind(p, tok) == PTname && p->tok[tok].end - p->tok[tok].at == n &&
           memcmp(p->src + p->tok[tok].at, word, n) == 0;
}

NORETURN static void foreign(PyReader *p, uint32_t tok, const char *text, const char *help)
{
    py_fail(p, E_pysyn_foreign, p->tok[tok].at, text, help, NULL, NULL);
}

static bool side_by_side(const PyReader *p, uint32_t first)
{
    return first + 1 < p->ntok && p->tok[first].end == p->tok[first + 1].at;
}

static void pair_at(PyReader *p, uint32_t first)
{
    for (size_t i = 0; side_by_side(p, first) && i < COUNT(pairs); i++)
        if (py_kind(p, first) == pairs[i].first && py_kind(p, first + 1) == pairs[i].second)
            foreign(p, first, pairs[i].text, pairs[i].help);
}

/* The first token of the statement at hand. */
static uint32_t statement_start(const PyReader *p)
{
    uint32_t i = p->at;
    while (i > 0) {
        enum PyTk k = py_kind(p, i - 1);
        if (k == PTnewline || k == PTindent || k == PTdedent || k == PTsemi)
            break;
        i--;
    }
    return i;
}

/* `-- comment`, somewhere in the statement before the current token, or at it. */
static void dashes(PyReader *p, uint32_t start)
{
    for (uint32_t i = start; i <= p->at && i + 1 < p->ntok; i++)
        if (py_kind(p, i) == PTsub && py_kind(p, i + 1) == PTsub && side_by_side(p, i)) {
            bool ends = py_kind(p, i + 2) == PTnewline || py_kind(p, i + 2) == PTeof;
            foreign(p, i, "`--`", ends && i > start ? "write `-= 1`" : "a comment begins with `#`");
        }
}

/* Lua's words within a statement. */
static void lua_words(PyReader *p, uint32_t start)
{
    uint32_t at = p->at;
    if (is(p, at, "then") || is(p, at, "do"))
        foreign(p, at, py_quote_tok(p, at), "write `:` and indent what follows");
    if (py_kind(p, start) == PTfor && py_cur(p) == PTassign)
        foreign(p, at, "`for i = 1, n`", "write `for i in range(1, n + 1):`");
    if (py_kind(p, start) == PTelse && py_kind(p, start + 1) == PTif && at <= start + 1)
        foreign(p, start, "`else if`", "write `elif`");
    if (py_cur(p) == PTcolon && at && side_by_side(p, at - 1) && side_by_side(p, at) &&
        py_kind(p, at + 1) == PTname && py_kind(p, at + 2) == PTlparen)
        foreign(p, at, py_quote(p, p->tok[at].at, p->tok[at + 1].end),
                "call a method with `.`: a.b(c)");
    for (uint32_t i = start; i < at; i++)
        if (is(p, i, "function") && (py_kind(p, i + 1) == PTlparen || py_kind(p, i + 1) == PTname))
            foreign(p, i, "`function`",
                    i == start ? "write `def name(x):`"
                               : "write `lambda x: value`, or a `def` before it");
    if (py_cur(p) == PTindent && at > 1 && is(p, at - 2, "repeat"))
        foreign(p, at - 2, "`repeat`", "write `while True:`, and `break` where it ends");
}

/* A block in braces, a table: { where `:` should stand, `=` within. */
static void braces(PyReader *p, uint32_t start)
{
    enum PyTk k = py_kind(p, start);
    bool head = k == PTif || k == PTelif || k == PTelse || k == PTfor || k == PTwhile ||
                k == PTdef || k == PTclass || k == PTtry || k == PTwith;
    uint32_t at = p->at;
    if (py_cur(p) == PTlbrace && head)
        foreign(p, at, "`{`", "write `:` and indent what follows");
    if (py_cur(p) == PTassign && at > 1 && py_kind(p, at - 1) == PTname &&
        (py_kind(p, at - 2) == PTlbrace || py_kind(p, at - 2) == PTcomma)) {
        int depth = 0;
        for (uint32_t i = at; i-- > start;) {
            enum PyTk b = py_kind(p, i);
            depth += (b == PTrparen || b == PTrbracket || b == PTrbrace) -
                     (b == PTlparen || b == PTlbracket || b == PTlbrace);
            if (depth < 0) {
                if (b == PTlbrace)
                    foreign(p, at - 1, py_quote(p, p->tok[at - 1].at, p->tok[at].end),
                            "a key of a dict is written \"name\": value");
                return;
            }
        }
    }
}

/* `print x, y`: with the call that is meant, if it is short. */
NORETURN static void python2_call(PyReader *p, uint32_t start)
{
    enum { Short = 40 };
    uint32_t i = p->at;
    while (py_kind(p, i + 1) != PTnewline && py_kind(p, i + 1) != PTeof &&
           py_kind(p, i + 1) != PTsemi)
        i++;
    const char *word = py_text(p, start), *given = py_copy(p, p->tok[p->at].at, p->tok[i].end);
    bool shown = p->tok[i].last == p->tok[p->at].line && strlen(given) <= Short;
    py_fail(p, E_pysyn_python2, p->tok[start].at, py_quote(p, p->tok[start].at, p->tok[p->at].end),
            afmt(p->c, "write %s(%s)", word, shown ? given : "..."), NULL, NULL);
}

/* ur"text": a prefix that there is not. */
static void prefix(PyReader *p)
{
    uint32_t at = p->at;
    if (at && (py_cur(p) == PTstring || py_cur(p) == PTfstart) && py_kind(p, at - 1) == PTname &&
        side_by_side(p, at - 1))
        foreign(p, at - 1, py_quote_tok(p, at - 1),
                "the prefix of a string is r, b, f, u, br or fr");
}

/* `%timeit x`, `%%bash`: IPython's commands; its `!ls` and `x?` are the prompt's, too. */
static void magic(PyReader *p, uint32_t start)
{
    uint32_t word = start + 1 + (py_kind(p, start + 1) == PTmod);
    if (py_kind(p, start) != PTmod || py_kind(p, word) != PTname || p->at > word)
        return;
    bool times = is(p, word, "time") || is(p, word, "timeit");
    foreign(p, start, py_quote(p, p->tok[start].at, p->tok[word].end),
            times ? "k.bench() times a kernel, time.perf_counter() anything else"
                  : "the prompt's own commands begin with `:`; `:help` lists them");
}

/* `match x:` without its block, as a prompt gets it */
static void match(PyReader *p, uint32_t start)
{
    uint32_t i = p->at;
    if (!is(p, start, "match") || p->at != start + 1)
        return;
    while (py_kind(p, i) != PTnewline && py_kind(p, i) != PTeof)
        i++;
    if (py_kind(p, i - 1) == PTcolon)
        py_unsupported(p, start, "the `match` statement",
                       "write if x == 1: ... elif x == 2: ... else: ...");
}

/* `print x`, `local x`, `raise E, "text"` */
static void first_word(PyReader *p, uint32_t start)
{
    bool second = p->at == start + 1;
    if (second && py_starts_expr(py_cur(p)))
        for (size_t i = 0; i < COUNT(python2); i++)
            if (is(p, start, python2[i]))
                python2_call(p, start);
    if (py_kind(p, start) == PTraise && py_cur(p) == PTcomma)
        py_fail(p, E_pysyn_python2, p->tok[p->at].at, "`raise E, text`", "write raise E(text)",
                NULL, NULL);
    if (second && (py_cur(p) == PTname || py_cur(p) == PTlbrace || py_cur(p) == PTstring ||
                   py_cur(p) == PTcolon))
        for (size_t i = 0; i < COUNT(starts); i++)
            if (is(p, start, starts[i].word))
                foreign(p, start, py_quote_tok(p, start), starts[i].help);
}

/* Is b one letter away from a: one more, one less, another, or two swapped? */
static bool near(const char *a, size_t n, const char *b, size_t m)
{
    size_t i = 0, j;
    if (n + 1 < m || m + 1 < n || (n < 3 && n != m))
        return false;
    while (i < n && i < m && a[i] == b[i])
        i++;
    if (n == m && i + 1 < n && a[i] == b[i + 1] && a[i + 1] == b[i] &&
        memcmp(a + i + 2, b + i + 2, n - i - 2) == 0)
        return true;
    j = i + (m >= n);
    i += n >= m;
    return n - i == m - j && memcmp(a + i, b + j, n - i) == 0;
}

/* A keyword with a slip: `whlie x:`, `esle:`. */
static void misspelt(PyReader *p, uint32_t start)
{
    static const uint8_t heads[] = {PTwhile,   PTfor,    PTif,       PTelif,   PTelse,
                                    PTdef,     PTclass,  PTwith,     PTtry,    PTexcept,
                                    PTfinally, PTimport, PTfrom,     PTreturn, PTraise,
                                    PTassert,  PTglobal, PTnonlocal, PTyield,  PTdel};
    const PyTok *t = &p->tok[start];
    enum PyTk after = py_kind(p, start + 1);
    bool head = py_starts_expr(after) && after != PTlparen && after != PTlbracket &&
                after != PTsub && after != PTadd;
    bool alone = after == PTcolon && py_kind(p, start + 2) == PTnewline;
    if (t->kind != PTname || (!head && !alone) || p->at <= start)
        return;
    for (size_t i = 0; i < COUNT(heads); i++) {
        const char *word = py_word[heads[i]];
        if (near(p->src + t->at, t->end - t->at, word, strlen(word)))
            foreign(p, start, py_quote_tok(p, start), afmt(p->c, "write `%s`", word));
    }
}

void py_habits(PyReader *p)
{
    uint32_t start = statement_start(p);
    pair_at(p, p->at);
    if (p->at)
        pair_at(p, p->at - 1);
    if (p->at > 1 && (py_cur(p) == PTnewline || py_cur(p) == PTeof || py_cur(p) == PTrparen))
        pair_at(p, p->at - 2);
    if (py_cur(p) == PTidiv && p->at == start)
        foreign(p, p->at, "`//`", "a comment begins with `#`");
    dashes(p, start);
    lua_words(p, start);
    braces(p, start);
    prefix(p);
    magic(p, start);
    match(p, start);
    first_word(p, start);
    misspelt(p, start);
}
