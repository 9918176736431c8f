/* lua/seam/modules.c: the list of the modules in C.  The build finds their openers in the sources
 * of lua/seam and lua/state and lists them in modules.h. */
#include "seam.h"

#define MODULE(name) int luaopen_moontile_##name(lua_State *L);
#include "modules.h"
#undef MODULE

static const luaL_Reg modules[] = {
#define MODULE(name) {"moontile." #name, luaopen_moontile_##name},
#include "modules.h"
#undef MODULE
    {NULL, NULL},
};

void seam_init(void) { api_use(modules); }
