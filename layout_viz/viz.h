/* layout_viz/viz.h: what the files of the seam share: figures as Lua values,
 * and tables of fields that are checked as they are read. */
#ifndef MOONTILE_VIZ_H
#define MOONTILE_VIZ_H

#include "lua/state/api.h"
#include "figure.h"

#define FIGURE_TYPE "moontile.figure" /* userdata: a Figure */

/* A call whose arguments are being read, and where in them we are:
 * f:track, rows[2].spans[5][1]. */
enum { PathMost = 6 };
typedef struct VizStep VizStep;
struct VizStep {
    const char *name;   /* NULL: an index alone */
    lua_Integer index;  /* 0: none */
};
typedef struct VizReader VizReader;
struct VizReader {
    lua_State *L;
    Figure *f;
    const char *call;   /* "f:grid" */
    VizStep step[PathMost];
    int depth;
};

/* viz_read.c -- every function raises when the value is not what it should be;
 * `t` is the stack index of a table, `name` its field. */
void viz_enter(VizReader *r, const char *name, lua_Integer index);
void viz_leave(VizReader *r);
int viz_fail(VizReader *r, Err e, const char *name, ...); /* const char *, NULL */
int viz_type(VizReader *r, const char *name, const char *want, int got);
/* Only these fields, separated by blanks; integer keys too if `list`. */
void viz_fields(VizReader *r, int t, const char *fields, bool list);
lua_Integer viz_int(VizReader *r, int t, const char *name, lua_Integer lo, lua_Integer hi);
lua_Integer viz_int_or(VizReader *r, int t, const char *name, lua_Integer lo, lua_Integer hi,
                        lua_Integer otherwise);
double viz_number(VizReader *r, int t, const char *name);
double viz_number_or(VizReader *r, int t, const char *name, double otherwise);
bool viz_bool_or(VizReader *r, int t, const char *name, bool otherwise);
Text viz_text(VizReader *r, int t, const char *name);
/* The index of s in a list of names that ends with NULL. */
int viz_choice(VizReader *r, int t, const char *name, const char *const *names, int otherwise);
int32_t viz_hue(VizReader *r, int t, const char *name);
/* A single printable ASCII character; 0 when it is not given. */
char viz_sign(VizReader *r, int t, const char *name);
/* Pushes the table in the field; its length; -1, nil pushed, when not given. */
int viz_list(VizReader *r, int t, const char *name, int most);
int viz_list_of(VizReader *r, int t, const char *name, int n); /* exactly n, or -1 */
/* Entry i of the list on top: pushes the table that stands there. */
void viz_entry(VizReader *r, int i);
/* The same kinds as entries of the list at the top of the stack. */
double item_number(VizReader *r, int i);
lua_Integer item_int(VizReader *r, int i, lua_Integer lo, lua_Integer hi);
Text item_text(VizReader *r, int i, bool lines); /* false, nil: none */
int32_t item_hue(VizReader *r, int i);
char item_sign(VizReader *r, int i);
void *viz_new(VizReader *r, size_t n, size_t size); /* of the figure's memory */
Panel *viz_panel(VizReader *r, enum PanelKind k);

/* viz_grid.c, viz_panels.c: the methods that add a panel */
int f_grid(lua_State *L);
int f_table(lua_State *L);
int f_bars(lua_State *L);
int f_track(lua_State *L);
int f_curve(lua_State *L);
int f_text(lua_State *L);
int f_legend(lua_State *L);

void viz_init(void); /* makes moontile.viz known to Lua states, once, at start-up */

#endif
