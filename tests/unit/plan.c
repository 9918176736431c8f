/* Plans of launches: which parameters a kernel takes, in which order and under which
 * names; tensor maps; sites of prints and asserts; cooperative launches. */
#include <stdio.h>
#include <string.h>

#include "core/ir/plan.h"
#include "../../targets/targets.h"

static int failures;

static void expect(bool ok, const char *what, int line)
{
    if (!ok) {
        printf("plan.c:%d: failed: %s\n", line, what);
        failures++;
    }
}
#define EXPECT(ok) expect((ok), #ok, __LINE__)

static void same(const char *have, const char *want, int line)
{
    if (strcmp(have, want) != 0) {
        printf("plan.c:%d: have\n%s\nwant\n%s\n", line, have, want);
        failures++;
    }
}

static Prog *parse(const char *text)
{
    Prog *p = prog_parse(&mem_libc, text, strlen(text), "plan.ir");
    if (p && p->ctx.nerror) {
        Str s = {0};
        diag_render(&s, &p->ctx, p->ctx.diags, LANGen, false, NULL, NULL);
        printf("%s", s.s ? s.s : "out of memory\n");
        str_free(&s);
        failures++;
    }
    return p;
}

static const char *const kinds[] = {"tensor", "scalar", "dim", "work", "map", "out", "grid"};

/* A line a launch: "name threads shared cluster: kind name rw, ..". */
static void show(const Plan *q, Str *s)
{
    for (int i = 0; i < q->nlaunch; i++) {
        const PlanLaunch *l = &q->launch[i];
        str_fmt(s, "%s %d %lld %d%s:", l->name, l->threads, (long long)l->shared,
                l->cluster[0] * l->cluster[1] * l->cluster[2], l->grid_sync ? " all" : "");
        for (int k = 0; k < l->nparam; k++) {
            const PlanParam *a = &l->param[k];
            str_fmt(s, "%s %s %s%s%s", k ? "," : "", kinds[a->kind], a->name,
                    a->read || a->written ? " " : "", a->read ? "r" : "");
            str_puts(s, a->written ? "w" : "");
        }
        str_puts(s, "\n");
    }
    for (int i = 0; i < q->nmap; i++) {
        str_fmt(s, "map %s of %s:", q->map[i].name, q->p->buf[q->map[i].buf].name);
        for (int d = 0; d < q->map[i].ndim; d++)
            str_fmt(s, " %d", (int)q->map[i].box[d]);
        str_fmt(s, " swizzle %d\n", q->map[i].swizzle);
    }
}

static void check(const char *text, const char *want, int line)
{
    Prog *p = parse(text);
    Plan *q = p ? plan_new(p) : NULL;
    Str s = {0};
    if (q)
        show(q, &s);
    same(s.s ? s.s : "", want, line);
    str_free(&s);
    if (p)
        prog_free(p);
}
#define CHECK(text, want) check(text, want, __LINE__)

/* What is used is passed, in the user's order; what is not is not. */
static void parameters(void)
{
    CHECK("kernel scale(A, s, B, unused) -> B machine sm_90a\n"
          "  dim N: int32 in 1..\n"
          "  dim M: int32 in 1..\n"
          "  scalar s: float32\n"
          "  buffer A: global float32[N, M]\n"
          "  buffer B: global float32[N, 64]\n"
          "  buffer unused: global float32[N]\n"
          "  launch bx in N threads tid in 128 shared=0 do\n"
          "    if tid < 64 then\n"
          "      B[bx, tid] = A[bx, 0] * s\n"
          "    end\n"
          "  end\n"
          "end\n",
          "scale_kernel 128 0 1: tensor A r, scalar s, tensor B w, dim N, dim M\n");
    /* a dimension that no address and no grid needs; an atomic reads too */
    CHECK("kernel total(A) machine sm_80\n"
          "  dim N: int32 in 1..\n"
          "  buffer A: global float32[N, 64]\n"
          "  launch bx in 4 threads tid in 64 shared=0 do\n"
          "    atomic sum A[bx, tid], 1.0\n"
          "  end\n"
          "end\n",
          "total_kernel 64 0 1: tensor A rw\n");
}

/* Names: C words, builtins of the compiler, the printer's own. */
static void names(void)
{
    CHECK("kernel exp(int, smem) machine sm_80\n"
          "  buffer int: global float32[64]\n"
          "  buffer smem: global float32[64]\n"
          "  launch bx in 1 threads tid in 64 shared=0 do\n"
          "    int[tid] = smem[tid]\n"
          "  end\n"
          "  launch bx in 1 threads tid in 64 shared=0 do\n"
          "    smem[tid] = int[tid]\n"
          "  end\n"
          "end\n",
          "exp_kernel 64 0 1: tensor int_ w, tensor smem_ r\n"
          "exp_kernel_1 64 0 1: tensor int_ r, tensor smem_ w\n");
}

/* Workspaces are the program's: one launch writes, the next reads. */
static void workspaces(void)
{
    CHECK("kernel two(A) machine sm_80\n"
          "  buffer A: global float32[64]\n"
          "  launch bx in 1 threads tid in 64 shared=0 do\n"
          "    alloc part: global float32[64]\n"
          "    part[tid] = A[tid]\n"
          "    call sync_grid()\n"
          "    A[tid] = part[63 - tid]\n"
          "  end\n"
          "end\n",
          "two_kernel 64 0 1 all: tensor A rw, work part rw, grid blocks_arrived\n");
}

static const char boxes[] =
    "kernel boxes(A, B) -> B machine sm_90a\n"
    "  dim N: int32 in 1..\n"
    "  buffer A: global float16[N, 128]\n"
    "  buffer B: global float16[N, 128]\n"
    "  launch bx in (N + 63) // 64 threads tid in 128 cluster=[2, 1, 1] shared=24640 do\n"
    "    alloc As: shared float16[64, 64] at=0 map=\"[64,64] off(1/1:64*1 0/1:64*64) "
    "xor(3,3,3)\"\n"
    "    alloc Bs: shared float16[64, 64] at=8192\n"
    "    alloc bars: barrier uint64[1] at=24576\n"
    "    if tid == 0 then\n"
    "      tma_load A[bx*64:+64, 0:+64] -> As, bars[0], 0 swizzle=128\n"
    "      tma_load A[bx*64:+64, 64:+64] -> As, bars[0], 0 swizzle=128\n"
    "      tma_load A[bx*64:+64, 0:+64] -> Bs, bars[0], 0\n"
    "      tma_store As -> B[bx*64:+64, 0:+64] swizzle=128\n"
    "      tma_store Bs -> B[bx*64:+64, 64:+64] kind=sum\n"
    "      bulk_commit\n"
    "      bulk_wait\n"
    "    end\n"
    "    printf A[0, 0], \"first\"\n"
    "    printf B[0, 0], \"last\"\n"
    "    assert tid < 128, \"threads\"\n"
    "  end\n"
    "end\n";

static bool find(Stmt *s, void *ud)
{
    Stmt **at = ud;
    if (s->kind == Sop && s->op.op == Otma_store && !*at)
        *at = s;
    return true;
}

/* One map for each (tensor, box, swizzle); a tensor that only maps touch has no
 * pointer, its maps say how it is touched. */
static void maps(void)
{
    CHECK(boxes,
          "boxes_kernel 128 24640 2: tensor A r, tensor B rw, dim N, map A_map r, map A_map_2 r, "
          "map B_map w, map B_map_2 rw, out records\n"
          "map A_map of A: 64 64 swizzle 128\n"
          "map A_map_2 of A: 64 64 swizzle 0\n"
          "map B_map of B: 64 64 swizzle 128\n"
          "map B_map_2 of B: 64 64 swizzle 0\n");
    Prog *p = parse(boxes);
    Plan *q = p ? plan_new(p) : NULL;
    Stmt *store = NULL;
    EXPECT(q);
    if (!q)
        return;
    stmt_walk(p->body, find, &store);
    EXPECT(store);
    EXPECT(plan_map_of(q, store) == 2);
    EXPECT(plan_map_of(q, p->body) == -1);
    EXPECT(q->nsite == 3 && plan_site_of(q, q->site[2].s) == 2 &&
           q->site[2].s->kind == Sassert);
    EXPECT(plan_site_of(q, store) == -1);
    prog_free(p);
}

/* A tile program is no thread program. */
static void tiles(void)
{
    Prog *p = parse("kernel k(A)\n"
                    "  buffer A: global float32[64]\n"
                    "  launch bx in 1 threads 64 do\n"
                    "    A[0] = 1.0\n"
                    "  end\n"
                    "end\n");
    EXPECT(plan_new(p) == NULL && p->ctx.nerror == 1);
    prog_free(p);
}

/* Every allocation that can fail does once. */
typedef struct Few Few;
struct Few { int left; };

static void *few(void *ud, void *at, size_t n)
{
    Few *f = ud;
    if (n && f->left-- <= 0)
        return NULL;
    return mem_libc.alloc(mem_libc.ud, at, n);
}

static void memory(void)
{
    for (int n = 1; n < 400; n++) {
        Few f = {n};
        Mem m = {few, &f};
        Prog *p = prog_parse(&m, boxes, sizeof boxes - 1, "plan.ir");
        if (!p)
            continue;
        if (!p->ctx.nerror)
            EXPECT(plan_new(p) || p->ctx.nerror);
        prog_free(p);
    }
}

int main(void)
{
    targets_init();
    parameters();
    names();
    workspaces();
    maps();
    tiles();
    memory();
    return failures != 0;
}
