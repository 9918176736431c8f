/* targets/remote/http.h: requests to one server, one after the other. */
#ifndef MOONTILE_REMOTE_HTTP_H
#define MOONTILE_REMOTE_HTTP_H

#include "core/device/worker.h"
#include "curl.h"
#include "remote.h"

/* The connection to a server: what is kept from request to request. */
typedef struct Http Http;
struct Http {
    Curl curl;
    CURLM *multi;
    CURL *easy;
    struct curl_slist *head, *deflated; /* headers; the same for a compressed body */
    const RemoteOptions *opt;
    const DevHost *host;   /* NULL: nobody to tell and to ask */
    bool met;              /* the server has answered once: to try again makes sense */
    bool has_token;
    bool barred;           /* an address was refused, see only_here */
    bool plain;            /* the last request set no more than small ones set */
    bool resent;           /* libcurl was kept from sending what is not to be repeated again */
    struct Call *call;     /* that is under way */
    char why[CURL_ERROR_SIZE];
};

/* One request.  The members up to `tick` are the caller's to fill. */
typedef struct Call Call;
struct Call {
    const char *method;
    char path[512];        /* "/v1/hello" */
    const char *body; size_t nbody;
    bool deflated;         /* the body is */
    bool inflate;          /* the answer may be */
    bool once;             /* once begun it is not repeated */
    double patience;       /* seconds without a byte until the server counts as silent */
    /* The bytes of a 2xx answer go to [into, into + room), exactly so many; or, line by
     * line without its end, to line(), which stops all with false and an *err; or into
     * `text`, as all other answers do, at most `most` bytes. */
    char *into; size_t room;
    bool (*line)(void *ud, char *s, size_t n, DevError *err);
    /* About twenty times a second while it goes on; false: give it up.  May be NULL: then it is
     * given up when the user asks to stop, and the session's clock stands still. */
    bool (*tick)(void *ud);
    void (*moved)(void *ud, size_t sent, size_t got); /* for progress; may be NULL */
    void *ud;
    size_t most;

    Str text;              /* the caller frees it */
    long status;           /* 0: no answer */
    size_t got;            /* bytes of the answer */
    size_t sent, at;       /* of the body */
    size_t seen;           /* of `text`, up to where lines were taken */
    bool begun;            /* a part of the request may have arrived */
    bool at_once;          /* the body is sent with the head */
    DevError err;          /* from line() */
    bool too_long; size_t longest; /* the answer had more bytes than these */
    CURL *easy;
    const Curl *curl;
};

/* Takes over nothing of o, which must stay. */
DevError http_open(Http *h, const RemoteOptions *o);
void http_close(Http *h);
/* No error: a 2xx answer came, whole.  Else c->status and c->text tell what the server said, if
 * it did. */
DevError http_call(Http *h, Call *c);

#endif
