/* core/lower/pipe/raster.c: in which order the blocks of a launch, or the tiles that a
 * block loops over, walk through the grid. */
#include "persist.h"

void raster_panels(Low *l, Ex at, int a, int64_t n, Ex *map)
{
    Prog *p = l->p;
    Stmt *s = l->launch;
    int b = 1 - a;
    int64_t all;
    uint32_t va = s->launch.block[a], vb = s->launch.block[b];
    const char *na = p->var[va].name, *nb = p->var[vb].name;
    Ex ga = s->launch.grid[a], gb = s->launch.grid[b];
    Ex size = x_bin(p, Xmul, ga, low_i(l, n));
    Ex panel = x_var(p, s_let(p, "panel", x_bin(p, Xfdiv, at, size)));
    Ex in = x_var(p, s_let(p, "within", x_bin(p, Xfmod, at, size)));
    Ex high = x_bin(p, Xmin, x_bin(p, Xsub, gb, low_mul(l, panel, n)), low_i(l, n));
    high = x_bin(p, Xmax, high, low_i(l, 1));
    if (!x_isint(p, high, &all))
        high = x_var(p, s_let(p, "high", high));
    Ex along = x_bin(p, Xfdiv, in, high), last = low_add(l, ga, low_i(l, -1));
    Ex back = x_bin(p, Xeq, low_mod(l, panel, 2), low_i(l, 1));
    uint32_t wa = s_let(p, na, x_select(p, back, x_bin(p, Xsub, last, along), along));
    uint32_t wb = s_let(p, nb, low_add(l, low_mul(l, panel, n), x_bin(p, Xfmod, in, high)));
    p->var[wa].lo = p->var[wb].lo = 0; /* a walk through the same grid */
    p->var[wa].hi = p->var[va].hi;
    p->var[wb].hi = p->var[vb].hi;
    map[va] = x_var(p, wa);
    map[vb] = x_var(p, wb);
}

int raster_along(const Stmt *launch) { return launch->launch.order == 1; }

void raster_user(Low *l)
{
    Prog *p = l->p;
    Stmt *s = l->launch;
    if (s->launch.panel <= 0 || s->launch.n < 2)
        return;
    Ex *map = anew(&p->ctx, (p->nvar + 1) * sizeof *map);
    uint32_t nmap = p->nvar;
    low_begin(l, s->loc);
    Ex at = x_bin(p, Xadd, x_var(p, s->launch.block[0]),
                  x_bin(p, Xmul, x_var(p, s->launch.block[1]), s->launch.grid[0]));
    raster_panels(l, at, raster_along(s), s->launch.panel, map);
    Stmt *lets = low_end(l);
    low_subst(l, s->launch.body, map, nmap, NULL, 0);
    s->launch.body = low_append(lets, s->launch.body);
    s->launch.panel = 0;
}
