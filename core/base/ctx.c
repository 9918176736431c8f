/* core/base/ctx.c: a compilation's memory and its way out.
 *
 * Memory is an arena: blocks are taken from the host, handed out in pieces and
 * returned together by ctx_free.  Nothing that a context owns is freed singly.
 * Lack of memory is a message like any other and unwinds to ctx_try. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

enum { ChunkBytes = 64 * 1024, Align = 16 };

struct Chunk {
    Chunk *next;
    size_t size;
};

/* Room of a chunk's header, so that what follows stays aligned. */
#define HEAD ((sizeof(Chunk) + Align - 1) / Align * Align)

static void *libc_alloc(void *ud, void *p, size_t n)
{
    (void)ud;
    if (n)
        return realloc(p, n);
    free(p);
    return NULL;
}

const Mem mem_libc = {libc_alloc, NULL};

volatile int interrupt_asked;

size_t memory_part(unsigned part, size_t least)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t k = pages > 0 && page > 0 ? (size_t)pages / part * (size_t)page : 0;
    return k > least ? k : least;
}

/* A quarter of the machine's memory, from 1 to 8 GiB: a program that needs more is taken for one that
 * never has enough, and said so before the machine begins to swap. */
static size_t usual_limit(void)
{
    const size_t least = (size_t)1 << 30;
    size_t k = memory_part(4, least);
    return k > 8 * least ? 8 * least : k;
}

void ctx_init(Ctx *c, const Mem *mem, size_t limit)
{
    memset(c, 0, sizeof *c);
    c->mem = mem ? *mem : mem_libc;
    c->limit = limit ? limit : usual_limit();
    c->diagtail = &c->diags;
    c->oom.err = E_memory;
}

void ctx_free(Ctx *c)
{
    for (Chunk *k = c->arena.head, *next; k; k = next) {
        next = k->next;
        c->mem.alloc(c->mem.ud, k, 0);
    }
    c->arena = (Arena){0};
}

bool ctx_try(Ctx *c, void (*f)(Ctx *, void *), void *ud)
{
    jmp_buf here, *outer = c->trap;
    c->trap = &here;
    bool ok = setjmp(here) == 0;
    if (ok)
        f(c, ud);
    c->trap = outer;
    return ok;
}

void ctx_unwind(Ctx *c)
{
    if (!c->trap)
        abort(); /* a core function was called outside ctx_try */
    longjmp(*c->trap, 1);
}

/* Running out of memory must itself need none: the message is ready-made. */
NORETURN static void ctx_nomem(Ctx *c)
{
    if (c->oom.next == NULL && c->diagtail != &c->oom.next) {
        c->oom.arg[0] = "more";
        c->oom.arg[1] = "reached";
        *c->diagtail = &c->oom;
        c->diagtail = &c->oom.next;
        c->nerror++;
    }
    ctx_unwind(c);
}

/* Nobody waits for this any more.  Looked at where memory is taken, which everything that takes
 * long does. */
NORETURN static void ctx_stopped(Ctx *c)
{
    *c->stop = 0;
    c->stop = NULL;
    diag(c, E_build_interrupted, (Loc){0, 0, 0}, NULL);
    ctx_unwind(c);
}

static void newchunk(Ctx *c, size_t n)
{
    size_t size = n > ChunkBytes / 4 ? n : ChunkBytes;
    if (size > c->limit - c->arena.total)
        ctx_nomem(c);
    Chunk *k = c->mem.alloc(c->mem.ud, NULL, HEAD + size);
    if (!k)
        ctx_nomem(c);
    k->size = size;
    c->arena.total += size;
    k->next = c->arena.head;
    c->arena.head = k;
    c->arena.at = (char *)k + HEAD;
    c->arena.end = c->arena.at + size;
}

void *anew(Ctx *c, size_t n)
{
    if (c->stop && *c->stop && c->trap)
        ctx_stopped(c);
    if (n > c->limit)
        ctx_nomem(c);
    n = (n + Align - 1) / Align * Align;
    if ((size_t)(c->arena.end - c->arena.at) < n)
        newchunk(c, n);
    void *p = c->arena.at;
    c->arena.at += n;
    return memset(p, 0, n);
}

void *heap_new(Ctx *c, size_t n)
{
    if (n > c->limit - c->arena.total)
        ctx_nomem(c);
    void *p = c->mem.alloc(c->mem.ud, NULL, n ? n : 1);
    if (!p)
        ctx_nomem(c);
    return memset(p, 0, n);
}

void heap_free(const Ctx *c, void *p)
{
    if (p)
        c->mem.alloc(c->mem.ud, p, 0);
}

char *astr(Ctx *c, const char *s, size_t n)
{
    char *p = anew(c, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

char *afmt(Ctx *c, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = anew(c, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

const char *aplain(Ctx *c, const char *s)
{
    char *out = astr(c, s ? s : "", s ? strlen(s) : 0);
    for (char *k = out; *k; k++)
        if ((unsigned char)*k < ' ' || *k == 127 || strchr("\"'\\*/?`", *k))
            *k = '_';
    return out;
}

void agrow(Ctx *c, void *p, uint32_t *cap, uint32_t n, size_t size)
{
    if (n <= *cap)
        return;
    uint32_t want = *cap ? *cap : 8;
    while (want < n) {
        if (want > UINT32_MAX / 2)
            ctx_nomem(c);
        want *= 2;
    }
    if (want > c->limit / size)
        ctx_nomem(c);
    void *q = anew(c, want * size), *old;
    memcpy(&old, p, sizeof old);
    if (old)
        memcpy(q, old, *cap * size);
    memcpy(p, &q, sizeof q);
    *cap = want;
}

uint16_t ctx_file(Ctx *c, const char *name)
{
    if (!name)
        return 0;
    for (uint32_t i = 1; i < c->nfile; i++)
        if (strcmp(c->file[i], name) == 0)
            return (uint16_t)i;
    if (c->nfile >= UINT16_MAX)
        return 0;
    uint32_t i = c->nfile ? c->nfile : 1;
    agrow(c, &c->file, &c->capfile, i + 1, sizeof *c->file);
    c->file[i] = astr(c, name, strlen(name));
    c->nfile = i + 1;
    return (uint16_t)i;
}

/* Str ------------------------------------------------------------------ */

static bool str_reserve(Str *b, size_t n)
{
    if (b->bad || n >= SIZE_MAX / 4 - b->n)
        return !(b->bad = true);
    size_t need = b->n + n + 1;
    if (need <= b->cap)
        return true;
    size_t cap = b->cap ? b->cap : 64;
    while (cap < need)
        cap *= 2;
    char *s = realloc(b->s, cap);
    if (!s)
        return !(b->bad = true);
    b->s = s;
    b->cap = cap;
    return true;
}

void str_add(Str *b, const char *s, size_t n)
{
    if (!str_reserve(b, n))
        return;
    if (n)
        memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = '\0';
}

void str_puts(Str *b, const char *s) { str_add(b, s, strlen(s)); }

static void str_int(Str *b, long long n)
{
    char digits[24], *end = digits + sizeof digits, *at = end;
    unsigned long long u = n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
    do
        *--at = (char)('0' + u % 10);
    while (u /= 10);
    if (n < 0)
        *--at = '-';
    str_add(b, at, (size_t)(end - at));
}

/* Appends what the conversion at p, behind its %, says: s, .*s, c, d, u, lld or %.  The place
 * behind it, or NULL: it is another one. */
static const char *fmt_plain(Str *b, const char *p, va_list *ap)
{
    const char *s;
    size_t n = SIZE_MAX;
    if (p[0] == '.' && p[1] == '*' && p[2] == 's') {
        int most = va_arg(*ap, int);
        n = most < 0 ? SIZE_MAX : (size_t)most;
        p += 2;
    }
    switch (*p) {
    case 's':
        s = va_arg(*ap, const char *);
        str_add(b, s ? s : "(null)", s ? strnlen(s, n) : 6);
        return p + 1;
    case 'd': str_int(b, va_arg(*ap, int)); return p + 1;
    case 'u': str_int(b, va_arg(*ap, unsigned)); return p + 1;
    case 'l':
        if (p[1] != 'l' || p[2] != 'd')
            return NULL;
        str_int(b, va_arg(*ap, long long));
        return p + 3;
    case 'c': str_add(b, &(char){(char)va_arg(*ap, int)}, 1); return p + 1;
    case '%': str_add(b, p, 1); return p + 1;
    default:  return NULL;
    }
}

/* Nearly all formats have only such conversions.  The C library's function takes several times as
 * long, and twice, since the length comes first. */
static bool fmt_all_plain(Str *b, const char *fmt, va_list *ap)
{
    for (const char *p; (p = strchr(fmt, '%')) != NULL;) {
        str_add(b, fmt, (size_t)(p - fmt));
        fmt = fmt_plain(b, p + 1, ap);
        if (!fmt)
            return false;
    }
    str_puts(b, fmt);
    return true;
}

void str_vfmt(Str *b, const char *fmt, va_list ap)
{
    va_list again;
    size_t before = b->n;
    va_copy(again, ap);
    bool plain = fmt_all_plain(b, fmt, &again);
    va_end(again);
    if (plain)
        return;
    b->n = before;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        b->bad = true;
    else if (str_reserve(b, (size_t)n)) {
        vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
        b->n += (size_t)n;
    }
}

void str_fmt(Str *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vfmt(b, fmt, ap);
    va_end(ap);
}

void str_free(Str *b)
{
    free(b->s);
    *b = (Str){0};
}
