/* tests/unit/fuzz_dialect.c: the dialect reader against broken and random text.
 *
 *     fuzz_dialect [SECONDS [SEED]]     mutates the samples below; 2 seconds
 *
 * With -DLIBFUZZER it is an entry for libFuzzer instead:
 *     clang -fsanitize=fuzzer,address -DLIBFUZZER ... lua/dialect*.c core/...
 *
 * What is checked of every text, plain and with all of it staged:
 *   - no crash, no leak; a refusal comes with exactly one message;
 *   - what Lua's own compiler takes, the reader takes; without staged
 *     functions it comes out byte for byte;
 *   - what comes out has as many lines, and Lua compiles it, limits aside.
 * And that running out of memory at any point is survived. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/base.h"
#include "lua/reader/dialect.h"

/* What the mutations start from. */
static const char *const samples[] = {
    "local x <const>, y <close> = 1, nil; x1, t.y, t[1] = f(1), ..., {}\n",
    "if a < b then return elseif c and d or e then f() else g{1} end\n",
    "while a do if b then break end goto c ::c:: end repeat local z until z\n",
    "for i = 1, 10, 2 do print(i) end for k, v in pairs(t) do k = v end\n",
    "function a.b:c(x, ...) local function f(...) return ... end return f(x) end\n",
    "k = tl.jit(function(A, B) A: T.Tensor({M, K}, T.float16) B: T.f\n"
    "for i, j in T.Parallel(2) do A[i, j] += B[j, i:j, :] if i < 3 then break end end\n"
    "return A end)\n",
    "m = T.macro(function(x, y) y: T.Ref x += 1 if x > y and not z then return x end\n"
    "while x ~= 3 do x, y = y, x goto continue ::continue:: end end)\n",
    "local function f(n) for i = 0, n do s = c and 1 or d and 2 or 3 end end tl.jit{o=1}(f)\n",
    "f().x[g()] *= 3 a.b //= 2 A[i] <<= 1 A[:, 1:2] = 0 A[x:y(), 2] = z:w{} x |= 1 y &= 2\n",
    "s = \"a\\n\\x41\\u{20AC}\\065\\z  b\" .. 'c\\'' .. [==[\n]] ]=]]==] --[[ c\n]] -- d\n",
    "x = 0x1p-4 + 1e10 - .5 * 3. // 0xA.8 % 2 ^ -3 .. 1 & 2 | 3 ~ 4 << 5 >> 6 == 7\n",
    "x = not (a == b) and (c or d)(e)[f]:g'h' ~= nil, -#t, ~1, function() end, ...\n",
    "do local _ENV <const> = {} ; goto e; do goto e end ::e:: end return 1, 2;\n",
    "T.prim_func(function(...) repeat local q = a and ... or {...} until q\n"
    "for i = a, b do for j = 1, i do if j == i then goto next end end ::next:: end\n"
    "do return f(...) end end)",
};

static const char *const tokens[] = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", "...", "..",
    "==", "~=", "<=", ">=", "::", "+=", "//=", "<<=", "+", "-", "*", "/", "//", "%", "^", "#", "&",
    "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".", "a", "x", "T.macro(",
    "tl.jit(function() ", "1", "0x", "'s'", "\"", "[[", "]]", "--", "--[[", "\n", "\r\n", " ", "\\",
    "!=", "&&", "\xEF\xBC\x88", "\xFF", "<const>", "<close>", "::l::", "goto l", "A: T.f ",
    "a[i, j]", "a[1:2]", "if a < b then ", "while a < b do ", "for i = a, b do ", " end ", "a = a and b or c ",
};

static lua_State *L;

static void die(const char *why, const char *s, size_t n, const char *more)
{
    fprintf(stderr, "fuzz_dialect: %s%s%s\n---\n", why, more ? ": " : "", more ? more : "");
    fwrite(s, 1, n, stderr);
    fprintf(stderr, "\n---\n");
    abort();
}

/* Does Lua compile it?  *limit: it does not for one of its limits, or for a
 * rule that only Lua checks. */
static bool compiles(const char *s, size_t n, bool *limit)
{
    static const char *const limits[] = {"too many", "C stack overflow", "jumps into the scope",
                                         "control structure too long", "has more than",
                                         "too complex", "overflow", "not enough memory"};
    int status = luaL_loadbufferx(L, s, n, "=x", "t");
    const char *msg = status == LUA_OK ? "" : lua_tostring(L, -1);
    *limit = false;
    for (size_t i = 0; i < COUNT(limits); i++)
        *limit = *limit || strstr(msg, limits[i]) != NULL;
    if (status == LUA_OK)
        lua_pop(L, 1);
    return status == LUA_OK; /* otherwise the message is left for the caller */
}

static size_t lines(const char *s, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += s[i] == '\n';
    return k;
}

static void check(const char *s, size_t n, bool staged, bool known)
{
    bool head = n && (s[0] == '#' || s[0] == '\x1b' || s[0] == '\xEF'), limit;
    bool lua = !head && compiles(s, n, &limit);
    lua_settop(L, 0);
    Ctx c;
    Str out = {0};
    DialectInfo info = {.all_staged = staged, .known = known};
    ctx_init(&c, NULL, 64 << 20);
    bool ok = dialect_translate(&c, s, n, "=fuzz", &out, &info);
    const char *text = out.s ? out.s : "";
    if (ok != (c.nerror == 0) || (!ok && (c.nerror != 1 || out.n)))
        die("messages do not fit the result", s, n, NULL);
    if (!ok && lua)
        die("Lua takes it, the reader does not", s, n, err_info(c.diags->err)->id);
    if (ok && lua && info.nstaged == 0 && !known && (out.n != n || memcmp(text, s, n) != 0))
        die("plain Lua was changed", s, n, NULL);
    if (ok && lines(text, out.n) != lines(s, n))
        die("lines were lost", s, n, text);
    if (ok && !head && !compiles(text, out.n, &limit) && !limit) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        die("Lua does not take what came out", s, n, text);
    }
    lua_settop(L, 0);
    str_free(&out);
    ctx_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (!L)
        L = luaL_newstate();
    char *s = malloc(n + 1); /* exactly as long, so that overruns show */
    if (!s || !L)
        abort();
    memcpy(s, data, n);
    check(s, n, false, false);
    check(s, n, false, true);
    check(s, n, true, false);
    free(s);
    return 0;
}

#ifndef LIBFUZZER

static uint64_t state;

static size_t rnd(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (size_t)(state >> 33) % n : 0;
}

enum { MaxText = 3000 };

/* s[at .. at+del) becomes t[0..n) */
static size_t splice(char *s, size_t len, size_t at, size_t del, const char *t, size_t n)
{
    if (len - del + n > MaxText)
        return len;
    memmove(s + at + n, s + at + del, len - at - del);
    memcpy(s + at, t, n);
    return len - del + n;
}

static size_t mutate(char *s, size_t n)
{
    char piece[64];
    size_t at = rnd(n + 1), len;
    const char *t;
    switch (rnd(8)) {
    case 0: /* a byte */
        if (n)
            s[rnd(n)] = (char)rnd(256);
        return n;
    case 1: /* less */
        len = n - at < 20 ? n - at : 20;
        return splice(s, n, at, rnd(len + 1), "", 0);
    case 2: /* a piece again, elsewhere */
        len = rnd(n - at < sizeof piece ? n - at : sizeof piece);
        memcpy(piece, s + at, len);
        return splice(s, n, rnd(n + 1), 0, piece, len);
    case 3: /* another sample */
        t = samples[rnd(COUNT(samples))];
        return splice(s, n, at, 0, t, strlen(t));
    case 4: /* a piece of it */
        t = samples[rnd(COUNT(samples))];
        len = strlen(t);
        t += at = rnd(len);
        return splice(s, n, rnd(n + 1), 0, t, rnd(len - at));
    default:
        t = tokens[rnd(COUNT(tokens))];
        while (at && at < n && s[at - 1] != ' ')
            at--; /* most often between words */
        return splice(s, n, at, 0, t, strlen(t));
    }
}

/* Memory that ends at the n-th request. */
static void *failing(void *ud, void *p, size_t n)
{
    int *left = ud;
    if (n && (*left)-- <= 0)
        return NULL;
    return mem_libc.alloc(NULL, p, n);
}

static void check_memory(const char *s)
{
    bool ok = false;
    for (int k = 0; k < 500 && !ok; k++) {
        int left = k;
        Mem mem = {failing, &left};
        Ctx c;
        Str out = {0};
        DialectInfo info = {.all_staged = true};
        ctx_init(&c, &mem, 1 << 20);
        ok = dialect_translate(&c, s, strlen(s), "=fuzz", &out, &info);
        str_free(&out);
        ctx_free(&c);
    }
    if (!ok)
        die("never enough memory", s, strlen(s), NULL);
}

/* Deep and long texts: the reader has its limits, never an overflow. */
static void check_deep(void)
{
    static const char *const unit[] = {"(", "{", "f(", "a[", "- ", "not ", "function() ",
                                       "if a then ", "do ", "x = function() while x < 1 do ",
                                       "a and (", "a ^ ", "a .. ", "while a do ", "[", "a:b(",
                                       "repeat ", "a + ", "a and ", "a < "};
    for (size_t i = 0; i < COUNT(unit); i++) {
        size_t n = 0, m = strlen(unit[i]);
        char *s = malloc(4 + m * 3000);
        if (!s)
            abort();
        memcpy(s, "x =", 3);
        for (n = 3; n < 3 + m * 3000; n += m)
            memcpy(s + n, unit[i], m);
        LLVMFuzzerTestOneInput((const uint8_t *)s, n);
        LLVMFuzzerTestOneInput((const uint8_t *)s + 3, n - 3);
        free(s);
    }
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char s[MaxText + 1];
    size_t runs = 0;
    for (size_t i = 0; i < COUNT(samples); i++) {
        LLVMFuzzerTestOneInput((const uint8_t *)samples[i], strlen(samples[i]));
        check_memory(samples[i]);
    }
    check_deep();
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
        const char *t = samples[rnd(COUNT(samples))];
        size_t n = strlen(t);
        memcpy(s, t, n);
        for (size_t k = rnd(6) + 1; k-- > 0; runs++) {
            n = mutate(s, n);
            LLVMFuzzerTestOneInput((const uint8_t *)s, n);
        }
    }
    printf("%zu texts\n", runs);
    lua_close(L);
    return 0;
}

#endif
