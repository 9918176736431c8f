/* lua/reader/dialect_scope.c: functions, blocks, locals and labels of the text being
 * read; which functions are staged; where staged code records its depth. */
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

static bool rd_same_name(const Reader *p, uint32_t a, uint32_t b)
{
    const DialectTok *x = &p->tok[a], *y = &p->tok[b];
    uint32_t n = x->end - x->at;
    return n == y->end - y->at && memcmp(p->src + x->at, p->src + y->at, n) == 0;
}

bool rd_name_is(const Reader *p, uint32_t tok, const char *s)
{
    const DialectTok *t = &p->tok[tok];
    size_t n = strlen(s);
    return t->kind == TKname && t->end - t->at == n && memcmp(p->src + t->at, s, n) == 0;
}

/* Who is staged -------------------------------------------------------- */

/* By the last name of the callee. */
enum StageMark rd_mark_of(const Reader *p, uint32_t tok)
{
    if (rd_name_is(p, tok, "jit") || rd_name_is(p, tok, "prim_func"))
        return MKstaged;
    return rd_name_is(p, tok, "macro") ? MKmacro : MKnone;
}

static enum Tk dscope_kind(const Reader *p, uint32_t tok)
{
    return tok < p->ntok ? (enum Tk)p->tok[tok].kind : TKeof;
}

/* Behind a balanced `{ }` or `( )`; the same token if there is none. */
static uint32_t behind_brackets(const Reader *p, uint32_t tok)
{
    int open = 0;
    for (uint32_t i = tok; i < p->ntok; i++) {
        enum Tk k = dscope_kind(p, i);
        open += (k == TKlbrace || k == TKlparen) - (k == TKrbrace || k == TKrparen);
        if (open == 0)
            return i + 1;
    }
    return tok;
}

/* The last name of `(a.b.name)` or `(a.b.name, ...` at tok; 0 if something
 * else stands there. */
static uint32_t argument_name(const Reader *p, uint32_t tok)
{
    if (dscope_kind(p, tok) != TKlparen || dscope_kind(p, ++tok) != TKname)
        return 0;
    while (dscope_kind(p, tok + 1) == TKdot && dscope_kind(p, tok + 2) == TKname)
        tok += 2;
    enum Tk after = dscope_kind(p, tok + 1);
    return after == TKrparen || after == TKcomma ? tok : 0;
}

static void add_later(Reader *p, uint32_t tok, enum StageMark m)
{
    if (p->nlater == p->caplater)
        agrow(p->c, &p->later, &p->caplater, p->caplater ? p->caplater * 2 : 8, sizeof *p->later);
    p->later[p->nlater++] = (Later){tok, (uint8_t)m};
}

/* Does `name =` stand in front of the name at tok, and nothing more behind it?  The name
 * that is given another's value, or 0. */
static uint32_t alias_of(const Reader *p, uint32_t tok)
{
    enum Tk after = dscope_kind(p, tok + 1);
    bool more = after == TKdot || after == TKlparen || after == TKlbracket || after == TKlbrace ||
                after == TKcolon || after == TKstring;
    return tok >= 2 && dscope_kind(p, tok) == TKname && dscope_kind(p, tok - 1) == TKassign &&
                   dscope_kind(p, tok - 2) == TKname && !more ? tok - 2 : 0;
}

/* In `f = g`, with f a name of the list, g is one, too. */
static void add_aliases(Reader *p)
{
    uint32_t *at = NULL, n = 0, cap = 0;
    for (uint32_t i = 2; i < p->ntok && p->nlater; i++)
        if (alias_of(p, i)) {
            if (n == cap)
                agrow(p->c, &at, &cap, cap ? cap * 2 : 8, sizeof *at);
            at[n++] = i;
        }
    for (uint32_t k = 0; k < p->nlater; k++)
        for (uint32_t i = 0; i < n; i++) {
            Later l = p->later[k];
            if (at[i] < l.tok && rd_same_name(p, l.tok, at[i] - 2)) {
                add_later(p, at[i], (enum StageMark)l.mark);
                at[i] = at[--n];
                i--;
            }
        }
}

/* Notes every name in `tl.jit(name`, `tl.jit{...}(name`, `T.macro(m.name` ..., and in
 * `name = other` in front of it: the function of that name, above, is staged. */
void rd_fill_later(Reader *p)
{
    for (uint32_t i = 1; i + 2 < p->ntok; i++) {
        enum StageMark m = rd_mark_of(p, i);
        if (!m || dscope_kind(p, i - 1) == TKlocal)
            continue;
        uint32_t j = i + 1, name;
        if (dscope_kind(p, j) == TKlbrace ||
            (dscope_kind(p, j) == TKlparen && dscope_kind(p, j + 1) == TKlbrace))
            j = behind_brackets(p, j);
        if ((name = argument_name(p, j)) == 0)
            continue;
        add_later(p, name, m);
    }
    add_aliases(p);
}

enum StageMark rd_mark_later(const Reader *p, uint32_t tok)
{
    for (uint32_t i = 0; i < p->nlater; i++)
        if (p->later[i].tok > tok && rd_same_name(p, p->later[i].tok, tok))
            return (enum StageMark)p->later[i].mark;
    return MKnone;
}

/* Is the name at tok a parameter of the function in hand? */
static bool is_parameter(const Reader *p, uint32_t tok)
{
    for (uint32_t i = p->block->local; i < p->nlocal; i++)
        if (!p->local[i].self && rd_same_name(p, p->local[i].tok, tok))
            return true;
    return false;
}

/* Does the body that begins here say the type of a parameter, `A: T.Tensor(...)`, in front
 * of its first block?  Only kernels do, however they come to tl.jit. */
bool rd_says_types(Reader *p)
{
    uint32_t start = p->at;
    int open = 0;
    bool found = false;
    for (; !found && dscope_kind(p, p->at) != TKeof && dscope_kind(p, p->at) != TKend &&
           dscope_kind(p, p->at) != TKreturn;
         p->at++) {
        enum Tk k = dscope_kind(p, p->at);
        if (k == TKfor || k == TKif || k == TKwhile || k == TKrepeat || k == TKfunction ||
            k == TKdo)
            break;
        open += (k == TKlparen || k == TKlbracket || k == TKlbrace) -
                (k == TKrparen || k == TKrbracket || k == TKrbrace);
        found = open == 0 && rd_at_annotation(p) && is_parameter(p, p->at);
    }
    p->at = start;
    return found;
}

/* Functions and blocks -------------------------------------------------- */

/* f is the caller's, on its stack, until func_close; f->body likewise. */
void rd_func_open(Reader *p, Func *f, enum StageMark mark)
{
    bool inside = p->fn && p->fn->staged;
    f->up = p->fn;
    f->staged = inside || mark != MKnone;
    f->root = f->staged && !inside;
    f->macro = mark == MKmacro;
    f->level = inside ? p->fn->level + 1 : 1;
    f->nslot = 1; /* 0 holds the depth at entry */
    f->label = p->nlabel;
    f->jump = p->njump;
    p->fn = f;
    if (f->staged)
        p->info->nstaged++;
}

void rd_block_open(Reader *p, Block *b, enum BlockKind k, uint32_t start)
{
    *b = (Block){.up = p->block, .fn = p->fn, .id = ++p->nblock, .kind = (uint8_t)k,
                 .start = start, .local = p->nlocal, .label = p->nlabel, .jump = p->njump};
    p->block = b;
    if (k == Bfunc)
        p->fn->body = b;
}

/* The block whose start has the same depth: itself unless a plain do. */
static Block *frame_of(Block *b)
{
    while (b->kind == Bdo)
        b = b->up;
    return b;
}

Block *rd_block_loop(const Reader *p)
{
    Block *b = p->block;
    while (b->kind != Bloop && b->kind != Bfunc)
        b = b->up;
    return b->kind == Bloop ? b : NULL;
}

/* Are we inside a loop or an arm of the function? */
bool rd_block_nested(const Reader *p) { return frame_of(p->block)->kind != Bfunc; }

/* Writes the frame of a function that needs one. */
static void write_frame(Reader *p, Func *f)
{
    if (f->frame)
        rd_edit_at(p, f->body->start, RKframe,
                afmt(p->c, " local __st%d <const> = __stage.frame();", f->level));
}

/* To be called while the body's block is still open. */
void rd_func_close(Reader *p)
{
    Func *f = p->fn;
    if (f->root && f->sigend && !f->macro)
        rd_edit_at(p, f->sigend, RKafter, " __stage.sigend();");
    rd_block_close(p);
    if (p->njump > f->jump) {
        const Jump *j = &p->jump[f->jump];
        rd_fail(p, E_syn_goto, j->tok, rd_quote_tok(p, j->tok), NULL, NULL, NULL);
    }
    write_frame(p, f);
    p->fn = f->up;
}

/* Locals ---------------------------------------------------------------- */

void rd_local_add(Reader *p, uint32_t tok, enum Attr attr)
{
    if (p->nlocal == p->caplocal)
        agrow(p->c, &p->local, &p->caplocal, p->caplocal ? p->caplocal * 2 : 64,
              sizeof *p->local);
    p->local[p->nlocal++] = (DialectLocal){.tok = tok, .block = p->block, .attr = (uint8_t)attr};
    if (++p->fn->nactive > p->fn->maxactive)
        p->fn->maxactive = p->fn->nactive;
    rd_local_count(p, tok, 1);
}

void rd_local_count(Reader *p, uint32_t tok, uint32_t n)
{
    enum { MostLocals = INT16_MAX - 1 }; /* of one function, as Lua counts; one is a frame of ours */
    p->fn->total += n;
    if (p->fn->total > MostLocals)
        rd_fail(p, E_limit_total, tok, afmt(p->c, "%d", INT16_MAX), NULL, NULL, NULL);
}

/* NULL for a global.  Innermost first, upvalues included. */
DialectLocal *rd_local_find(const Reader *p, uint32_t tok)
{
    for (uint32_t i = p->nlocal; i-- > 0;) {
        DialectLocal *l = &p->local[i];
        if (l->self ? rd_name_is(p, tok, "self") : rd_same_name(p, l->tok, tok))
            return l;
    }
    return NULL;
}

/* Depths ---------------------------------------------------------------- */

const char *rd_frame_name(Reader *p, Func *f)
{
    f->frame = true;
    return afmt(p->c, "__st%d", f->level);
}

uint32_t rd_new_slots(Func *f, uint32_t n)
{
    uint32_t k = f->nslot;
    f->nslot += n;
    return k;
}

/* Makes b record its depth; its slot. */
static uint32_t depth_slot(Reader *p, Block *b)
{
    if (!b->slot)
        b->slot = rd_new_slots(b->fn, 2);
    if (!b->recorded) {
        b->recorded = true;
        rd_edit_at(p, b->start, RKstart,
                afmt(p->c, " %s[%u] = __stage.depth();", rd_frame_name(p, b->fn), b->slot));
    }
    return b->slot;
}

/* Slots of a loop whose body is to know its depth. */
uint32_t rd_loop_slot(Reader *p, Block *loop) { return depth_slot(p, loop); }

static const char *dscope_depth_of(Reader *p, Block *b)
{
    b = frame_of(b);
    uint32_t k = b->kind == Bfunc ? 0 : depth_slot(p, b);
    return afmt(p->c, "%s[%u]", rd_frame_name(p, b->fn), k);
}

/* Text of the depth at which an assignment to l may happen; NULL when it
 * happens there for sure.  l NULL: a global. */
const char *rd_depth_for(Reader *p, const DialectLocal *l)
{
    if (l && frame_of(l->block) == frame_of(p->block))
        return NULL;
    if (l && l->block->fn->staged)
        return dscope_depth_of(p, l->block);
    Func *f = p->fn;
    if (f->root && !rd_block_nested(p))
        return NULL;
    while (!f->root)
        f = f->up;
    return dscope_depth_of(p, f->body);
}

/* Labels ---------------------------------------------------------------- */

void rd_label_add(Reader *p, uint32_t tok)
{
    for (uint32_t i = p->fn->label; i < p->nlabel; i++)
        if (rd_same_name(p, p->label[i].tok, tok))
            rd_fail(p, E_syn_label, tok, rd_quote_tok(p, tok),
                    afmt(p->c, "%u", p->tok[p->label[i].tok].line), NULL, NULL);
    if (p->nlabel == p->caplabel)
        agrow(p->c, &p->label, &p->caplabel, p->caplabel ? p->caplabel * 2 : 16,
              sizeof *p->label);
    p->label[p->nlabel++] = (Label){tok, p->block};
}

void rd_jump_add(Reader *p, uint32_t tok)
{
    if (p->njump == p->capjump)
        agrow(p->c, &p->jump, &p->capjump, p->capjump ? p->capjump * 2 : 16, sizeof *p->jump);
    Block *loop = rd_block_loop(p);
    p->jump[p->njump++] = (Jump){tok, frame_of(p->block)->id, loop ? loop->id : 0};
}

/* j goes to l, whose block b is being closed.  In staged code a jump out of a
 * traced frame is a continue or an error, which only the run can tell. */
static void dscope_resolve(Reader *p, const Jump *j, const Label *l)
{
    Block *b = l->block;
    if (!b->fn->staged || j->frame == frame_of(b)->id)
        return;
    const char *fr = rd_frame_name(p, b->fn);
    if (b->id == j->loop && l->tok > b->laststat) {
        uint32_t k = depth_slot(p, b);
        rd_edit_before(p, j->tok - 1, afmt(p->c, "if __stage.cont(%s, %u) then ", fr, k));
        rd_edit_after(p, j->tok, " end");
        b->nbreak++;
        return;
    }
    b = frame_of(b);
    uint32_t k = b->kind == Bfunc ? 0 : depth_slot(p, b);
    rd_edit_before(p, j->tok - 1, afmt(p->c, "__stage.jump(%s, %u); ", fr, k));
}

void rd_block_close(Reader *p)
{
    Block *b = p->block;
    uint32_t keep = b->jump;
    for (uint32_t i = b->jump; i < p->njump; i++) {
        Jump j = p->jump[i];
        const Label *found = NULL;
        for (uint32_t k = b->label; k < p->nlabel && !found; k++)
            if (rd_same_name(p, p->label[k].tok, j.tok))
                found = &p->label[k];
        if (found) {
            dscope_resolve(p, &j, found);
        } else {
            p->jump[keep++] = j;
        }
    }
    p->njump = keep;
    p->nlabel = b->label;
    p->fn->nactive -= p->nlocal - b->local;
    p->nlocal = b->local;
    p->block = b->up;
}
