/* lua/state/sources.h: how the Lua files that are part of the program are read; for the program and
 * for the tool that compiles them (lua/tools/embed.c). */
#ifndef MOONTILE_LUA_SOURCES_H
#define MOONTILE_LUA_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Texts below these folders are the user's kind: read through the dialect and
 * shown in messages.  All other modules of ours are plain Lua. */
static const char *const dialect_dirs[] = {"lua/ops/", "lua/examples/"};

static inline bool source_indialect(const char *path)
{
    for (size_t i = 0; i < sizeof dialect_dirs / sizeof *dialect_dirs; i++)
        if (strncmp(path, dialect_dirs[i], strlen(dialect_dirs[i])) == 0)
            return true;
    return false;
}

/* The name of a plain module's chunk: messages call it moontile/base/place.lua. */
static inline void source_chunk(const char *path, char *to, size_t n)
{
    snprintf(to, n, "@moontile/%s", strncmp(path, "lua/", 4) == 0 ? path + 4 : path);
}

#endif
