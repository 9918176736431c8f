/* targets/remote/token.c: the token that opens a server.  It comes from the environment
 * or from a file, and goes into one header and nowhere else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote.h"
#include "err/remote.h"

enum { MostToken = 512 };

/* One word of visible ASCII. */
static bool token_sound(const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n; i++)
        if (s[i] <= ' ' || s[i] > '~')
            return false;
    return n > 0 && n <= MostToken;
}

/* The first line of the file, without what surrounds it, into t. */
static DevError token_read_file(const char *path, char t[MostToken + 2])
{
    FILE *f = fopen(path, "re");
    bool ok = f && fgets(t, MostToken + 2, f);
    int e = errno;
    if (f)
        fclose(f);
    if (!f)
        return dev_error(E_remote_token_file, path, 0, strerror(e));
    if (ok)
        t[strcspn(t, "\r\n")] = '\0';
    if (!ok || !token_sound(t))
        return dev_error(E_remote_token_file, path, 1, "");
    return DEV_NO_ERROR;
}

DevError remote_token(Str *line)
{
    const char *given = getenv("MOONTILE_TOKEN"), *path = getenv("MOONTILE_TOKEN_FILE");
    char t[MostToken + 2] = "";
    if (path && *path) { /* a file that was named counts more */
        DevError err = token_read_file(path, t);
        if (err.is)
            return err;
    } else if (given && *given) {
        if (!token_sound(given))
            return dev_error(E_remote_token_file, "MOONTILE_TOKEN", 1, "");
        snprintf(t, sizeof t, "%s", given);
    }
    if (t[0])
        str_fmt(line, "Authorization: Bearer %s", t);
    memset(t, 0, sizeof t);
    return DEV_NO_ERROR;
}
