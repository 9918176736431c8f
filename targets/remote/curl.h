/* targets/remote/curl.h: libcurl, looked for when a server is first spoken to: linked in
 * it would cost every start of the program, and every worker's, three times its time. */
#ifndef MOONTILE_REMOTE_CURL_H
#define MOONTILE_REMOTE_CURL_H

#include <curl/curl.h>

#include "core/device/error.h"

/* X(name behind "curl_", result, parameters) */
#define CURL_CALLS(X) \
    X(global_init, CURLcode, (long flags)) \
    X(easy_init, CURL *, (void)) \
    X(easy_setopt, CURLcode, (CURL *, CURLoption, ...)) \
    X(easy_getinfo, CURLcode, (CURL *, CURLINFO, ...)) \
    X(easy_reset, void, (CURL *)) \
    X(easy_cleanup, void, (CURL *)) \
    X(easy_strerror, const char *, (CURLcode)) \
    X(multi_init, CURLM *, (void)) \
    X(multi_add_handle, CURLMcode, (CURLM *, CURL *)) \
    X(multi_remove_handle, CURLMcode, (CURLM *, CURL *)) \
    X(multi_perform, CURLMcode, (CURLM *, int *running)) \
    X(multi_poll, CURLMcode, (CURLM *, struct curl_waitfd *, unsigned n, int ms, int *ready)) \
    X(multi_info_read, CURLMsg *, (CURLM *, int *left)) \
    X(multi_cleanup, CURLMcode, (CURLM *)) \
    X(slist_append, struct curl_slist *, (struct curl_slist *, const char *)) \
    X(slist_free_all, void, (struct curl_slist *))

typedef struct Curl Curl;
struct Curl {
    void *handle;
#define X(name, result, parameters) result (*name) parameters;
    CURL_CALLS(X)
#undef X
};

DevError curl_open(Curl *c); /* the library stays loaded */

#endif
