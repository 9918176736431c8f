/* repl/serve/payload.c: what travels along with a launch: bytes that are set before it, and
 * bytes that are told behind it, so that a small call is one request. */
#include <stdio.h>
#include <string.h>

#include "core/base/base64.h"
#include "serve.h"

static void payload_word(Str *out, uint64_t v) { str_add(out, (const char *)&v, sizeof v); }

/* Contents of n bytes, in whole words. */
static void put_bytes(Str *out, const char *p, size_t n)
{
    static const char none[sizeof(uint64_t)];
    str_add(out, p, n);
    str_add(out, none, (sizeof(uint64_t) - n % sizeof(uint64_t)) % sizeof(uint64_t));
}

/* One part; *sum: bytes of the list so far.  False: answered. */
static bool payload_put_part(Req *r, json_t *o, bool before, uint64_t *sum, Str *words)
{
    uint64_t t = 0, at = 0, n = UINT64_MAX;
    char why[160], bytes[PartBytes];
    const char *data = NULL;
    const Member m[] = {{"t", 'u', true, &t}, {"at", 'u', false, &at},
                        {"bytes", 'u', false, &n}, {"data", 's', false, &data}};
    if (!json_members(o, m, before ? COUNT(m) : COUNT(m) - 1, why)) {
        reply_bad(r, why);
        return false;
    }
    if (data && (n = base64_get(data, strlen(data), bytes, sizeof bytes)) == SIZE_MAX)
        n = UINT64_MAX;
    if (n == UINT64_MAX || (data && json_object_get(o, "bytes"))) {
        reply_bad(r, "a part has \"bytes\", or \"data\" in base64");
        return false;
    }
    *sum += data || !before ? n : 0;
    if (n > PartBytes && (data || !before))
        *sum = UINT64_MAX;
    if (*sum > PartBytes) {
        reply_bad(r, "more than 16384 bytes come as payload");
        return false;
    }
    const ServedTensor *p = tensor_named(r->session, t);
    r->number = t;
    if (!p)
        reply_unknown(r, "tensor");
    if (!p || !reply_range(r, p, at, n))
        return false;
    payload_word(words, t);
    payload_word(words, at);
    payload_word(words, n);
    payload_word(words, data != NULL);
    if (data)
        put_bytes(words, bytes, (size_t)n);
    if (!before)
        r->after[r->nafter++] = (uint16_t)n;
    return true;
}

bool payload_words(Req *r, json_t *before, json_t *after, Str *words)
{
    json_t *const list[] = {before, after};
    for (int l = 0; l < 2; l++) {
        uint64_t sum = 0;
        if (json_array_size(list[l]) > Parts) {
            reply_bad(r, "more than 64 parts travel along");
            return false;
        }
        for (size_t i = 0; i < json_array_size(list[l]); i++)
            if (!payload_put_part(r, json_array_get(list[l], i), l == 0, &sum, words))
                return false;
    }
    return true;
}

void payload_answer(const Req *r, const char *bytes, size_t n, Str *out)
{
    size_t at = 0;
    say_key(out, "after");
    str_puts(out, "[");
    for (size_t i = 0; i < r->nafter; i++) {
        size_t k = r->after[i] <= n - at ? r->after[i] : 0;
        str_puts(out, i ? ", \"" : "\"");
        base64_put(out, bytes + at, k);
        str_puts(out, "\"");
        at += k;
    }
    str_puts(out, "]");
}
