/* targets/cpu/prelude.h: helper functions of printed programs, as text. */
#ifndef MOONTILE_CPU_PRELUDE_H
#define MOONTILE_CPU_PRELUDE_H

typedef struct Helper Helper;
struct Helper {
    const char *name;
    const char *needs; /* other helpers, space separated, or "" */
    const char *text;
};

/* Each table ends with a NULL name; what a helper needs stands in an earlier
 * table or earlier in its own. */
extern const Helper prelude_types[], prelude_ints[], prelude_floats[], /* prelude_base.c */
    prelude_math[], prelude_ieee[], prelude_rows[];                    /* prelude_math.c */

#endif
