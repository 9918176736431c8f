/* targets/remote/answer.h: what a server says: JSON, and refusals as errors. */
#ifndef MOONTILE_REMOTE_ANSWER_H
#define MOONTILE_REMOTE_ANSWER_H

#include <jansson.h>

#include "core/device/worker.h"

/* An answer that does not read: what should be there, and s[0 .. n), what is there. */
DevError said_wrong(const char *host, const char *wanted, const char *s, size_t n);
/* What an answer that is not 2xx means. */
DevError said_refused(const char *host, long status, const char *s, size_t n, bool had_token);

/* A JSON object, or NULL.  The caller's to free: json_decref(). */
json_t *said_object(const char *s, size_t n);
/* Member `key` of o: a whole number in lo .. hi; a text; false and NULL: it is not there. */
bool said_int(const json_t *o, const char *key, int64_t lo, int64_t hi, int64_t *out);
const char *said_text(const json_t *o, const char *key);

/* The id of the MESSAGE in an answer that is not 2xx, with its arguments; "" and none where
 * there is none.  out is valid as long as o. */
typedef struct Message Message;
struct Message { const char *id; const char *arg[DiagArgs]; int narg; const json_t *o; };
Message said_message(const json_t *o);
/* The MESSAGE m as DevHost.report takes it, notes and all: a malloc'd list whose texts are m's.
 * NULL: its id is not of this build, or no memory. */
DevMessage *said_report(const Message *m);
/* The error of m, which the device of the server said; none: the id is not of this build. */
DevError said_device(const Message *m);

#endif
