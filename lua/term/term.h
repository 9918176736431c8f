/* lua/term/term.h: the terminal as Lua sees it: modules moontile.term and moontile.screen. */
#ifndef MOONTILE_TERM_H
#define MOONTILE_TERM_H

#include <stdbool.h>

struct lua_State;

enum { TermLeast = 20, TermMost = 1 << 14 }; /* columns that text may take */

typedef struct Terminal Terminal;
struct Terminal {
    bool tty, unicode;
    int width, height;
    int depth;  /* what TERM says: 0, 4, 8 or 24 */
    int colour; /* the same where colours are wanted */
};

/* What stands behind a descriptor: by the environment, the command line and the user's settings
 * (moontile.config). */
Terminal term_of(struct lua_State *L, int fd);
/* Raises unless there are that many bits of colour; call: whose `colour` it is. */
void term_check_colour(struct lua_State *L, int colour, const char *call);

void term_init(void); /* makes both modules known to Lua states, once, at start-up */

/* screen.c: opens moontile.screen; its shell() is also moontile.term's */
int screen_lua(struct lua_State *L);
int screen_shell(struct lua_State *L);

#endif
