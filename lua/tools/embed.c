/* lua/tools/embed.c: run by the build: prints files of the source tree as the C arrays that
 * lua/state/embed.c has, their texts, and of plain Lua also what Lua compiles them to.
 *
 *     embed FILE ..  >embedded.h
 *
 * Compiled chunks keep the lines and names that messages show. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/state/sources.h"

typedef struct EmbedBytes EmbedBytes;
struct EmbedBytes { unsigned char *s; size_t n, cap; };

static void embed_fail(const char *what, const char *name)
{
    fprintf(stderr, "embed: %s: %s\n", name, what);
    exit(1);
}

static int embed_append(lua_State *L, const void *p, size_t n, void *ud)
{
    EmbedBytes *b = ud;
    (void)L;
    if (b->n + n > b->cap) {
        size_t cap = 2 * (b->n + n);
        unsigned char *s = realloc(b->s, cap);
        if (!s)
            return 1;
        b->s = s;
        b->cap = cap;
    }
    memcpy(b->s + b->n, p, n);
    b->n += n;
    return 0;
}

static EmbedBytes embed_slurp(const char *name)
{
    EmbedBytes b = {0};
    char buf[1 << 16];
    FILE *f = fopen(name, "rb");
    if (!f)
        embed_fail("cannot be opened", name);
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
        if (embed_append(NULL, buf, n, &b))
            embed_fail("too large", name);
    fclose(f);
    return b;
}

/* Of the puzzles only those that are numbered are texts of the user's kind. */
static bool is_library(const char *path)
{
    size_t n = strlen(path);
    bool puzzle = strncmp(path, "puzzles/", 8) == 0 && path[8] >= '0' && path[8] <= '9';
    return n > 4 && strcmp(path + n - 4, ".lua") == 0 && !puzzle && !source_indialect(path);
}

/* What Lua makes of the text of a module; nothing of others. */
static EmbedBytes embed_compile(lua_State *L, const char *path, const EmbedBytes *text)
{
    EmbedBytes b = {0};
    char chunk[1024];
    if (!is_library(path))
        return b;
    source_chunk(path, chunk, sizeof chunk);
    if (luaL_loadbufferx(L, (const char *)text->s, text->n, chunk, "t") != LUA_OK)
        embed_fail(lua_tostring(L, -1), path);
    if (lua_dump(L, embed_append, &b, 0) != 0)
        embed_fail("cannot be dumped", path);
    lua_pop(L, 1);
    return b;
}

/* As a string, which compilers read ten times as fast as a list of numbers; texts are also used as
 * strings.  `?` is a number, so that there are no trigraphs. */
static void print_array(const char *name, int k, const EmbedBytes *b)
{
    printf("static const unsigned char %s%d[] = \"", name, k);
    for (size_t i = 0; i < b->n; i++) {
        unsigned char c = b->s[i];
        bool plain = c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?';
        if (plain)
            putchar(c);
        else
            printf(c == '\n' ? "\\n" : "\\%03o", c);
        if (c == '\n' || i % 256 == 255)
            fputs("\"\n\"", stdout);
    }
    puts("\";");
}

int main(int argc, char **argv)
{
    EmbedBytes table = {0};
    lua_State *L = luaL_newstate();
    if (!L)
        embed_fail("no memory", argv[0]);
    for (int i = 1; i < argc; i++) {
        EmbedBytes text = embed_slurp(argv[i]), code = embed_compile(L, argv[i], &text);
        char row[1200];
        print_array("text", i, &text);
        print_array("code", i, &code);
        int n = snprintf(row, sizeof row, "    {\"%s\", text%d, sizeof text%d - 1, code%d, "
                         "sizeof code%d - 1},\n", argv[i], i, i, i, i);
        if (embed_append(NULL, row, (size_t)n, &table))
            embed_fail("no memory", argv[0]);
        free(text.s);
        free(code.s);
    }
    printf("static const Embedded embedded[] = {\n%.*s    {NULL, NULL, 0, NULL, 0},\n};\n",
           (int)table.n, (const char *)table.s);
    free(table.s);
    lua_close(L);
    return fflush(stdout) || ferror(stdout);
}
