/* repl/serve/head.c: heads of requests that two readers may understand in two ways.
 *
 * A proxy in front of the server may take the first of two Host lines, and the server the
 * second; or one of them a length where the other takes chunks, and then what one calls the end
 * of a body is the next request of the other.  libmicrohttpd is generous here, so all that is
 * not plain is refused, and its connection ends: nobody reads on behind it. */
#include <string.h>

#include "serve.h"

typedef struct HttpHead HttpHead;
struct HttpHead { int host, length, coding, other[4]; const char *why; };

/* Of what a request has one at most. */
static const char *const single[] = {"Authorization", "Content-Encoding", "Origin", "Expect"};

/* A name as HTTP has them: a colon may not have a blank before it. */
static bool head_token(const char *s, size_t n)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < n; i++)
        if (!((s[i] >= '0' && s[i] <= '9') || ((s[i] | 32) >= 'a' && (s[i] | 32) <= 'z') ||
              (s[i] && strchr(marks, s[i]))))
            return false;
    return n > 0;
}

/* No control characters but the tab; nothing behind a NUL. */
static bool head_text(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)s[i] < ' ' && s[i] != '\t') || s[i] == 127)
            return false;
    return true;
}

static bool all_digits(const char *s, size_t n) { return n && strspn(s, "0123456789") == n; }

static const char *head_wrong(HttpHead *h, const char *key, const char *v, size_t n)
{
    if (strcasecmp(key, "Host") == 0 && ++h->host > 1)
        return "there are two Host lines";
    if (strcasecmp(key, "Content-Length") == 0) {
        if (++h->length > 1)
            return "there are two Content-Length lines";
        return all_digits(v, n) ? NULL : "Content-Length is not a number";
    }
    if (strcasecmp(key, "Transfer-Encoding") == 0) {
        if (++h->coding > 1)
            return "there are two Transfer-Encoding lines";
        return n == 7 && strcasecmp(v, "chunked") == 0 ? NULL : "Transfer-Encoding is not chunked";
    }
    for (size_t i = 0; i < COUNT(single); i++)
        if (strcasecmp(key, single[i]) == 0 && ++h->other[i] > 1)
            return "a header line appears twice";
    return NULL;
}

static enum MHD_Result head_on_line(void *ud, enum MHD_ValueKind kind, const char *key,
                                    size_t key_n, const char *v, size_t n)
{
    HttpHead *h = ud;
    (void)kind;
    if (!head_token(key, key_n) || strlen(key) != key_n)
        h->why = "a header line has no valid name";
    else if (v && !head_text(v, n))
        h->why = "a header line has control characters";
    else
        h->why = head_wrong(h, key, v ? v : "", v ? n : 0);
    return h->why ? MHD_NO : MHD_YES;
}

bool head_sound(Req *r)
{
    HttpHead h = {0};
    r->sv->mhd.get_connection_values_n(r->c, MHD_HEADER_KIND, head_on_line, &h);
    if (!h.why && h.length && h.coding)
        h.why = "Content-Length and Transfer-Encoding are both present";
    if (!h.why)
        return true;
    r->hang_up = true;
    reply_bad(r, h.why);
    return false;
}
