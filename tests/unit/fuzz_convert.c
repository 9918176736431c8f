/* tests/unit/fuzz_convert.c: `moontile convert` on mutated Python.
 *
 *     fuzz_convert [SECONDS [SEED [FILE ..]]]     mutates the samples below, or the files; 2 seconds
 *
 * What is checked of every text: no crash; a refusal comes with exactly one message, a statement that is left
 * with at least one; what comes out is a text of the dialect that Lua compiles, limits aside; it says the same
 * the second time.  And that running out of memory at any point is survived. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/base.h"
#include "lua/pyreader/python.h"
#include "lua/reader/dialect.h"

static const char *const samples[] = {
    "import tilelang\nimport tilelang.language as T\n@tilelang.jit(out_idx=[-1])\ndef f(A, n: int = 3, *, k=None):\n"
    "    M = T.const('M')\n    A: T.Tensor((M, n), T.float16)\n    with T.Kernel(n, threads=128) as (bx, by):\n"
    "        for i, j in T.Parallel(n, n):\n            A[i, j] += A[i, 0:n] if i < j <= n else -1\n        # comment\n\n"
    "        x: T.int32 = 0\n    return A, x\n",
    "@T.prim_func\ndef main(\n    A: T.Tensor((1,), 'float16'),  # a\n    B: int,\n):\n    with T.Kernel(1):\n        pass\n",
    "def f(a, b=[1, 2], *args):\n    \"\"\"Doc\n    string.\"\"\"\n    if a and not b or a == 1:\n        x = a\n    elif b:\n"
    "        x = b[0]\n    else:\n        x = None\n    return x if a else b[-1], args\n",
    "xs = [i * 2 for i in range(10) if i % 2]\nys = xs[1:-1] + [3] * 4\nd = {'a': 1, 2: [3]}\nprint(f'{xs[0]:>5.2f} {d}', ys)\n"
    "a = b = c = 1\na, (b, c) = 1, (2, 3)\nx = y ** 2 // -z @ w\n",
    "while x < 3:\n    x += 1\n    if x == 2: continue\n    for k, v in enumerate(xs):\n        break\n    else: y = 1\n",
    "import torch, math\nt = torch.randn(2, 3, dtype=torch.float16, device='cuda')\nu = (t @ t.T).float().sum(dim=-1)\n"
    "torch.testing.assert_close(t, u, rtol=1e-2)\nv = math.sqrt(2) * t[0, 1].item() < float('inf')\n",
    "class C(B):\n    def f(self): return 1\ntry:\n    x = 1\nexcept E as e:\n    raise ValueError(f'x {e!r}') from e\n"
    "with open('f') as f: g = lambda x, y=1: (yield)\nglobal z\nassert x, 'why'\ndel x, y[0]\n",
    "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n = late() or n\n        return n\n    return inner\n"
    "def late(): return end\nend = 1; local = 2; nil = \\\n    3\nif __name__ == '__main__':\n    outer()()\n",
    "s = 'a' \"b\\n\" r'\\d' '''x\ny'''\nx = 0x1F + 0b11 + 0o7 + 1_0 + 1.5e3 + .5\ny = a if (b := c) else [*d, *e]\n"
    "f(*a, k=1, **kw)\nx = a < b < c in (1, 2) is not None != d\nz = ~-+x << 1 & 2 | 3 ^ 4\n",
    "@autotune(configs=get(), warmup=1)\n@tilelang.jit\ndef g(A):\n    return [dict(zip(p, v)) for v in itertools.product(*p.values())]\n"
    "for a, b in itertools.product([1], [2]):\n    print(a, b)\n#end",
};

static const char *const tokens[] = {
    "and ", "break", "def f(x):", "else:", "elif x:", "if x:", "for i in y:", "while x:", "in ", "is ", "not ", "or ", "return ",
    "lambda x: ", "with T.Kernel(1) as b:", "class C:", "pass", "None", "True", "...", "==", "!=", "<", ">=", "**", "//", "@",
    "+", "-", "-1", "*", "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "+=", ":=", "\n", "\n    ", "\n        ", "\n\n", "#c",
    "'", "\"", "\"\"\"", "f'{x}'", "\\", "\\\n", "\r\n", "\t", "\xFF", "\xE4\xB8\xAD", "x", "T", "T.x", "end", "local", "nil", "self",
    "x[0]", "x[1:2]", "x[-1]", "x.append(1)", "len(x)", "range(3)", "import x", "global x", "x = 1", "[i for i in x]", "%", "~",
    "(1,)", "x.shape[0]", "f(a=1)", "**k", "*a", "@T.macro\n", "1e999", "99999999999999999999", "0", "1j", ";", "->", "print(",
};

static lua_State *L;

static void die(const char *why, const char *s, size_t n, const char *more)
{
    fprintf(stderr, "fuzz_convert: %s%s%s\n---\n", why, more ? ":\n" : "", more ? more : "");
    fwrite(s, 1, n, stderr);
    fprintf(stderr, "\n---\n");
    abort();
}

/* Texts that are too much for Lua or the dialect's reader, and what only Lua checks. */
static bool is_limit(const char *msg)
{
    static const char *const limits[] = {"too many", "C stack overflow", "jumps into the scope", "control structure too long",
                                         "has more than", "too complex", "overflow", "not enough memory", "nested", "deep"};
    for (size_t i = 0; i < COUNT(limits); i++)
        if (strstr(msg, limits[i]))
            return true;
    return false;
}

/* What came out is read as any text of the dialect. */
static void check_text(const char *s, size_t n, const char *text, size_t len)
{
    Ctx c;
    Str lua = {0};
    ctx_init(&c, NULL, 64 << 20);
    while (len && text[0] == '#') { /* who runs the file: who loads it passes over this line */
        size_t k = strcspn(text, "\n");
        text += k;
        len -= k;
    }
    if (!dialect_translate(&c, text, len, "=out", &lua, NULL)) {
        Str said = {0};
        diag_render(&said, &c, c.diags, LANGen, false, NULL, NULL);
        if (!is_limit(said.s ? said.s : "")) {
            fprintf(stderr, "%s\n", said.s);
            die("the dialect does not take what came out", s, n, text);
        }
        str_free(&said);
    } else if (luaL_loadbufferx(L, lua.s ? lua.s : "", lua.n, "=out", "t") != LUA_OK && !is_limit(lua_tostring(L, -1))) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        die("Lua does not take what came out", s, n, text);
    }
    lua_settop(L, 0);
    str_free(&lua);
    ctx_free(&c);
}

static void check(const char *src, size_t n)
{
    char *s = malloc(n + 1); /* exactly as long, so that overruns show */
    Ctx c;
    Str out = {0};
    uint32_t left = 0;
    if (!s)
        abort();
    memcpy(s, src, n);
    ctx_init(&c, NULL, 64 << 20);
    bool ok = python_convert(&c, s, n, "@fuzz.py", &out, &left);
    if (!ok && (c.nerror != 1 || left))
        die("messages do not fit the refusal", s, n, NULL);
    if (ok && (uint32_t)c.nerror != left)
        die("a message for each statement that is left", s, n, out.s);
    if (ok && !out.bad)
        check_text(s, n, out.s ? out.s : "", out.n);
    str_free(&out);
    ctx_free(&c);
    free(s);
}

static uint64_t state;

static size_t rnd(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (size_t)(state >> 33) % n : 0;
}

enum { MaxText = 60000 };

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
    char piece[120];
    size_t at = rnd(n + 1), len;
    const char *t;
    switch (rnd(9)) {
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
    case 3: /* another sample, at a line's begin */
        t = samples[rnd(COUNT(samples))];
        while (at && s[at - 1] != '\n')
            at--;
        return splice(s, n, at, 0, t, strlen(t));
    default: { /* a word in place of another, or between */
        size_t end;
        t = tokens[rnd(COUNT(tokens))];
        while (at && s[at - 1] != ' ' && s[at - 1] != '(' && s[at - 1] != '\n')
            at--;
        for (end = at; end < n && rnd(2) && !strchr(" )\n", s[end]);)
            end++;
        return splice(s, n, at, end - at, t, strlen(t));
    }
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
        uint32_t n;
        Mem mem = {failing, &left};
        Ctx c;
        Str out = {0};
        ctx_init(&c, &mem, 4 << 20);
        ok = python_convert(&c, s, strlen(s), "@fuzz.py", &out, &n);
        str_free(&out);
        ctx_free(&c);
    }
    if (!ok)
        die("never enough memory", s, strlen(s), NULL);
}

static size_t slurp(const char *path, char *s)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(s, 1, MaxText, f) : 0;
    if (f)
        fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    static char s[MaxText + 1];
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    size_t runs = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    L = luaL_newstate();
    if (!L)
        return 1;
    for (size_t i = 0; i < COUNT(samples); i++) {
        check(samples[i], strlen(samples[i]));
        check_memory(samples[i]);
    }
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
        const char *t = samples[rnd(COUNT(samples))];
        size_t n = argc > 3 ? slurp(argv[3 + rnd((size_t)argc - 3)], s) : strlen(t);
        if (argc <= 3)
            memcpy(s, t, n);
        for (size_t k = rnd(6) + 1; k-- > 0; runs++) {
            n = mutate(s, n);
            check(s, n);
        }
    }
    lua_close(L);
    printf("%zu texts\n", runs);
    return 0;
}
