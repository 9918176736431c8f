/* lua/pyreader/python_looks.c: is a text Python, or Lua of the dialect?
 *
 *     x: int = 3      PyYes: no Lua              f{x = 1}     PyNo: no Python
 *     # a comment     PyYes                      -- a comment PyNo
 *     f(x, k=1)       PyYes                      a:b(c)       PyNo
 *     x += f(a, b)    PyMaybe: both have that
 *
 * The text is read as far as the first thing that only one of the two has.  Words alone do not tell: `end` and
 * `repeat` are names in Python, `class` and `from` in Lua; what stands around them does. */
#include <string.h>

#include "python_p.h"

enum Before { BFstart, BFoperand, BFsign }; /* what kind of token came before */
enum { MaxOpen = 64 };

typedef struct Look {
    const char *from, *s, *e; /* the text, where we are, the end */
    uint8_t before;      /* enum Before */
    bool name, string;   /* it was a name that is no keyword of both languages; a string */
    bool fresh;          /* a line has begun since */
    uint32_t nopen;
    char open[MaxOpen];  /* ( [ {, and T: parentheses that are no call's */
    uint32_t ntok;       /* tokens of this line of statements */
    const char *first;   /* its first word, or NULL */
    size_t nfirst;
    bool has_for, annotated;
    char last;           /* last character of the token before */
} Look;

static char look_at(const Look *x, size_t k) { return (size_t)(x->e - x->s) > k ? x->s[k] : '\0'; }

static bool isblank_(char c) { return c == ' ' || c == '\t'; }

static bool isdigit_(char c) { return c >= '0' && c <= '9'; }

static bool isline(char c) { return c == '\n' || c == '\r' || c == '\0'; }

static bool same(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

static bool one_of(const char *s, size_t n, const char *const *words, size_t nwords)
{
    for (size_t i = 0; i < nwords; i++)
        if (same(s, n, words[i]))
            return true;
    return false;
}

/* With these a line begins that ends in a colon. */
static bool heads(const Look *x)
{
    static const char *const words[] = {"if",    "elif",  "else",   "for",     "while",
                                        "with",  "try",   "except", "finally", "def",
                                        "class", "async", "match",  "case"};
    return x->first && one_of(x->first, x->nfirst, words, COUNT(words));
}

/* The first character behind the blanks from k on. */
static char behind(const Look *x, size_t k)
{
    while (isblank_(look_at(x, k)))
        k++;
    return look_at(x, k);
}

static char innermost(const Look *x)
{
    return !x->nopen ? '\0' : x->nopen > MaxOpen ? '?' : x->open[x->nopen - 1];
}

static void took(Look *x, size_t n, enum Before b)
{
    x->last = x->s[n - 1];
    x->s += n;
    x->before = (uint8_t)b;
    x->name = x->string = x->fresh = false;
    x->ntok++;
}

/* A line of s[0..n), without its indentation, that nobody writes in Python. */
static bool lua_line(const char *s, size_t n)
{
    static const char *const heads_[] = {"if", "elseif", "for", "while"};
    size_t w = 0;
    while (n && (isblank_(s[n - 1]) || s[n - 1] == '\r'))
        n--;
    while (w < n && py_isword(s[w]))
        w++;
    if (same(s, w, "local"))
        return w + 1 < n && s[w] == ' ' && py_isword(s[w + 1]) && !isdigit_(s[w + 1]);
    if (same(s, w, "end"))
        return w == n || (s[w] == ')' && w + 1 == n);
    return one_of(s, w, heads_, COUNT(heads_)) && n > w + 5 &&
           (memcmp(s + n - 5, " then", 5) == 0 || memcmp(s + n - 3, " do", 3) == 0);
}

/* What writers of Lua may have written by mistake: theirs, if a line of the text shows that. */
static enum PyLooks slip(const Look *x)
{
    for (const char *s = x->from, *end; s < x->e; s = end + 1) {
        end = memchr(s, '\n', (size_t)(x->e - s));
        end = end ? end : x->e;
        while (s < end && isblank_(*s))
            s++;
        if (lua_line(s, (size_t)(end - s)))
            return PyNo;
    }
    return PyYes;
}

/* Blanks, comments, strings ------------------------------------------------------------ */

static enum PyLooks line_end(Look *x)
{
    char c = *x->s++;
    if (c == '\r' && look_at(x, 0) == '\n')
        x->s++;
    if (!x->nopen) {
        if (x->last == ':' && x->ntok && heads(x))
            return slip(x);
        x->ntok = 0;
        x->first = NULL;
        x->has_for = x->annotated = false;
        x->last = '\0';
    }
    x->fresh = true;
    return PyMaybe;
}

/* `#` begins a comment in Python and asks for a length in Lua. */
static enum PyLooks hash(Look *x)
{
    bool blank = isblank_(look_at(x, 1)) || isline(look_at(x, 1));
    int closers = 0;
    if (x->before != BFsign || blank)
        return PyYes;
    if (!x->nopen)
        return PyNo; /* nothing could follow in this line */
    for (const char *s = x->s; s < x->e && !isline(*s) && closers <= 0; s++)
        closers += (*s == ')' || *s == ']' || *s == '}') - (*s == '(' || *s == '[' || *s == '{');
    if (closers > 0)
        return PyNo;
    took(x, 1, BFsign);
    return PyMaybe;
}

/* `[[ .. ]]`, `[=[ .. ]=]`: as Lua reads it, if it ends. */
static bool long_string(Look *x)
{
    size_t level = 0;
    while (look_at(x, level + 1) == '=')
        level++;
    if (look_at(x, level + 1) != '[')
        return false;
    for (const char *s = x->s + level + 2; s + level + 1 < x->e; s++) {
        size_t k = 0;
        while (s[0] == ']' && k < level && s[1 + k] == '=')
            k++;
        if (s[0] == ']' && k == level && s[1 + k] == ']') {
            took(x, (size_t)(s - x->s) + level + 2, BFoperand);
            return true;
        }
    }
    return false;
}

static enum PyLooks string(Look *x, size_t prefix)
{
    char quote = look_at(x, prefix);
    bool format = prefix && memchr(x->s, 'f', prefix), brace = false,
         called = x->name && !x->fresh && !prefix;
    size_t k = prefix + 1;
    if (x->string && !x->fresh && !prefix)
        return PyYes; /* "a" "b" */
    if (look_at(x, prefix + 1) == quote && look_at(x, prefix + 2) == quote)
        return PyYes;
    if (called && x->before == BFoperand)
        return PyNo; /* f "x" */
    while (x->s + k < x->e && x->s[k] != quote && !isline(x->s[k])) {
        brace = brace || x->s[k] == '{';
        k += x->s[k] == '\\' && x->s + k + 1 < x->e ? 2 : 1;
    }
    if (format && brace)
        return PyYes;
    took(x, x->s + k < x->e ? k + 1 : (size_t)(x->e - x->s), BFoperand);
    x->string = true;
    return PyMaybe;
}

/* Words ---------------------------------------------------------------------------------- */

/* A word that only Lua has, where it stands as one. */
static bool lua_word(const Look *x, size_t n, bool begins)
{
    char c = behind(x, n);
    bool gap = isblank_(look_at(x, n)), word = gap && py_isword(c),
         joined = x->before == BFoperand && !x->fresh;
    if (same(x->s, n, "nil") || same(x->s, n, "elseif"))
        return true;
    if (same(x->s, n, "local") || same(x->s, n, "goto") || same(x->s, n, "until"))
        return word;
    if (same(x->s, n, "function"))
        return word || c == '(';
    if (same(x->s, n, "then"))
        return joined;
    if (same(x->s, n, "end"))
        return joined || (begins && (isline(c) || c == ')' || c == ',' || c == ';' || c == '}'));
    if (same(x->s, n, "do"))
        return joined || (begins && (isline(c) || word));
    return same(x->s, n, "repeat") && begins && (isline(c) || word);
}

/* A word that only Python has. */
static bool python_word(const Look *x, size_t n, bool begins)
{
    static const char *const stands[] = {"None", "True", "False"};
    static const char *const alone[] = {"pass", "try", "elif", "except", "finally"};
    static const char *const before_name[] = {"def",   "class", "import", "with",     "except",
                                              "raise", "del",   "global", "nonlocal", "assert",
                                              "elif",  "async", "await",  "yield"};
    char c = behind(x, n);
    bool word = isblank_(look_at(x, n)) && py_isword(c);
    if (one_of(x->s, n, stands, COUNT(stands)))
        return c != '=' || look_at(x, n + 1) == '=';
    if (begins && word && one_of(x->s, n, before_name, COUNT(before_name)))
        return true;
    if (begins && same(x->s, n, "from"))
        return word || c == '.';
    if (begins && (isline(c) || c == '#') && one_of(x->s, n, alone, COUNT(alone)))
        return true;
    if (begins && same(x->s, n, "else") && c == ':')
        return true;
    if (same(x->s, n, "lambda"))
        return word || c == ':';
    if (same(x->s, n, "is"))
        return x->before == BFoperand && !x->fresh && isblank_(look_at(x, n));
    if (same(x->s, n, "not") && x->before == BFoperand && !x->fresh)
        return word;
    return same(x->s, n, "in") && x->before == BFoperand && !x->fresh && !x->has_for;
}

static enum PyLooks word(Look *x)
{
    static const char *const operators[] = {
        "and",    "or",   "not",  "in",     "is",    "if",    "else", "while",  "for",
        "return", "elif", "with", "assert", "raise", "yield", "del",  "lambda", "print"};
    static const char *const plain[] = {"def", "class", "import", "from"};
    bool begins = !x->nopen && (x->fresh || x->before == BFstart),
         field = x->last == '.' && x->before == BFsign;
    size_t n = 0;
    while (py_isword(look_at(x, n)))
        n++;
    if (n <= 2 && (look_at(x, n) == '"' || look_at(x, n) == '\'') && strspn(x->s, "rbfuRBFU") >= n)
        return string(x, n);
    if (!field && python_word(x, n, begins))
        return begins && one_of(x->s, n, plain, COUNT(plain)) ? PyYes : slip(x);
    if (!field && lua_word(x, n, begins))
        return PyNo;
    if (begins) {
        x->first = x->s;
        x->nfirst = n;
    }
    x->has_for = x->has_for || same(x->s, n, "for");
    bool sign = !field && one_of(x->s, n, operators, COUNT(operators)) && !same(x->s, n, "print");
    took(x, n, sign ? BFsign : BFoperand);
    x->name = !sign;
    return PyMaybe;
}

static enum PyLooks number(Look *x)
{
    size_t n = 0;
    bool other = look_at(x, 0) == '0' && strchr("bBoO", look_at(x, 1)) && look_at(x, 1);
    while (py_isword(look_at(x, n)) || look_at(x, n) == '.') {
        other = other || look_at(x, n) == '_';
        n++;
    }
    if (other)
        return PyYes;
    took(x, n, BFoperand);
    return PyMaybe;
}

/* Signs ------------------------------------------------------------------------------------ */

static enum PyLooks opens(Look *x)
{
    char c = *x->s;
    bool operand = x->before == BFoperand && !(x->fresh && !x->nopen);
    if (c == '{' && operand && x->name && !x->fresh)
        return PyNo; /* f{..} */
    if (c == '[' && innermost(x) == '{' && (x->last == '{' || x->last == ','))
        return PyNo; /* {[1] = ..} */
    if (c == '[' && (look_at(x, 1) == '[' || look_at(x, 1) == '=') && long_string(x))
        return PyMaybe;
    if (c == '[' && ((x->before == BFsign && !x->fresh) || x->before == BFstart))
        return PyYes; /* a list */
    if (c == '(' && !operand && behind(x, 1) == ')')
        return PyYes; /* an empty tuple */
    if (x->nopen < MaxOpen)
        x->open[x->nopen] = c == '(' && !operand ? 'T' : c;
    x->nopen++;
    took(x, 1, BFsign);
    return PyMaybe;
}

static enum PyLooks colon(Look *x)
{
    char next = look_at(x, 1), in = innermost(x);
    size_t n = 1;
    if (next == '=')
        return PyYes;
    if (next == ':' && !x->nopen)
        return PyNo; /* a label */
    if (in == '{' && x->before == BFoperand && (!x->name || isblank_(next)))
        return PyYes; /* {"a": 1} */
    while (py_isword(look_at(x, n)))
        n++;
    char call = look_at(x, n);
    bool method = x->before == BFoperand && n > 1 && !isdigit_(next) &&
                  (call == '(' || call == '"' || call == '\'' || call == '{' || call == '[');
    if (method && !x->fresh && (in == '(' || in == 'T' || (!in && !heads(x))))
        return PyNo; /* a:b(..) */
    if (!in && heads(x) && x->before == BFoperand && isblank_(next) && !isline(behind(x, 1)))
        return PyYes; /* if a: b */
    x->annotated = x->annotated || (!in && x->ntok && x->name && !heads(x));
    took(x, 1, BFsign);
    return PyMaybe;
}

static enum PyLooks assigns(Look *x)
{
    char in = innermost(x);
    if (look_at(x, 1) == '=') {
        took(x, 2, BFsign);
        return PyMaybe;
    }
    if (in == '{' && x->name)
        return PyNo; /* {a = 1} */
    if ((in == '(' && x->name) || (!in && x->annotated))
        return slip(x); /* f(a=1), a: int = 1 */
    took(x, 1, BFsign);
    return PyMaybe;
}

/* Signs that one of the two has. */
static const struct { char text[4]; uint8_t looks; } signs[] = {
    {"...", PyMaybe}, {"..", PyNo}, {"--", PyNo}, {"~=", PyNo}, {"!=", PyYes}, {"**", PyYes}, {"->", PyYes}, {"@", PyYes},
    {"<=", PyMaybe}, {">=", PyMaybe}, {"+=", PyMaybe}, {"-=", PyMaybe}, {"*=", PyMaybe}, {"/=", PyMaybe}, {"%=", PyMaybe},
    {"|=", PyMaybe}, {"&=", PyMaybe}, {"//", PyMaybe}, {"<<", PyMaybe}, {">>", PyMaybe},
};

static enum PyLooks sign(Look *x)
{
    char c = *x->s;
    if (c == '\\' && isline(look_at(x, 1)))
        return PyYes;
    if (c == ';' && innermost(x) == '{')
        return PyNo;
    if (c == ',' && innermost(x) == 'T')
        return PyYes; /* a tuple */
    for (size_t i = 0; i < COUNT(signs); i++) {
        size_t n = strlen(signs[i].text);
        if ((size_t)(x->e - x->s) < n || memcmp(x->s, signs[i].text, n) != 0)
            continue;
        if (signs[i].looks != PyMaybe)
            return signs[i].looks == PyYes ? slip(x) : PyNo;
        took(x, n, n == 3 ? BFoperand : BFsign);
        return PyMaybe;
    }
    if (c == ')' || c == ']' || c == '}') {
        x->nopen -= x->nopen > 0;
        took(x, 1, BFoperand);
        return PyMaybe;
    }
    took(x, 1, BFsign);
    return PyMaybe;
}

static enum PyLooks step(Look *x)
{
    char c = *x->s;
    if (c == '\n' || c == '\r')
        return line_end(x);
    if (isblank_(c) || c == '\f') {
        x->s++;
        return PyMaybe;
    }
    if (c == '#')
        return hash(x);
    if (isdigit_(c))
        return number(x);
    if (py_isword(c))
        return word(x);
    if (c == '"' || c == '\'')
        return string(x, 0);
    if (c == '(' || c == '[' || c == '{')
        return opens(x);
    if (c == ':')
        return colon(x);
    return c == '=' ? assigns(x) : sign(x);
}

enum PyLooks py_looks(const char *src, size_t n)
{
    Look x = {.from = src, .s = src, .e = src + n, .fresh = true};
    enum PyLooks looks = PyMaybe;
    if (n >= 3 && memcmp(src, "\xEF\xBB\xBF", 3) == 0)
        x.s += 3;
    if (look_at(&x, 0) == '#' && look_at(&x, 1) == '!') {
        const char *from = x.s;
        while (x.s < x.e && !isline(*x.s))
            x.s++;
        for (; from + 6 <= x.s; from++)
            if (memcmp(from, "python", 6) == 0)
                return PyYes;
    }
    while (x.s < x.e && looks == PyMaybe)
        looks = step(&x);
    if (looks == PyMaybe && x.last == ':' && x.ntok && !x.nopen && heads(&x))
        looks = slip(&x);
    return looks;
}
