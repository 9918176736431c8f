/* The table of messages: codes and names are unique, every text exists in both
 * languages with the same arguments, titles are lower case without full stop. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../core/base.h"

static int failures;

static void fail(const ErrInfo *e, const char *why)
{
    printf("%s (%s): %s\n", e->id, e->code, why);
    failures++;
}

/* Bit n set: {n} occurs. */
static unsigned args(const char *s)
{
    unsigned m = 0;
    for (; *s; s++)
        if (s[0] == '{' && isdigit((unsigned char)s[1]) && s[2] == '}')
            m |= 1u << (s[1] - '0');
    return m;
}

static void texts(const ErrInfo *e, const char *const by[NLang], const char *what)
{
    if ((by[LANGen][0] == '\0') != (by[LANGzh][0] == '\0'))
        fail(e, what);
    if (args(by[LANGen]) != args(by[LANGzh]))
        fail(e, "the languages use different arguments");
    if (args(by[LANGen]) >> (DiagArgs + 1))
        fail(e, "an argument beyond {6}");
}

int main(void)
{
    for (int i = 1; i < NErr; i++) {
        const ErrInfo *e = &errinfo[i];
        for (int j = 1; j < i; j++) {
            if (strcmp(e->code, errinfo[j].code) == 0)
                fail(e, errinfo[j].id);
            if (strcmp(e->id, errinfo[j].id) == 0)
                fail(e, "name used twice");
        }
        texts(e, e->title, "title in one language only");
        texts(e, e->label, "label in one language only");
        texts(e, e->help, "help in one language only");
        size_t n = strlen(e->title[LANGen]);
        if (n == 0 || e->title[LANGen][n - 1] == '.')
            fail(e, "title is empty or ends in a full stop");
        if (isupper((unsigned char)e->title[LANGen][0]) && islower((unsigned char)e->title[LANGen][1]) &&
            strncmp(e->title[LANGen], "NaN", 3) != 0)
            fail(e, "title starts with a capital");
        if (errbycode(e->code) != (enum Err)i || errbyid(e->id) != (enum Err)i)
            fail(e, "cannot be looked up");
    }
    return failures != 0;
}
