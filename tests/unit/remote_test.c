/* The remote target without a server: its words, what refusals become, when it compresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../targets/remote/device.h"
#include "../../targets/targets.h"
#include "dev_said.h"

static int failures;

static void expect(const char *what, const char *got, const char *want)
{
    if (got && strncmp(got, want, strlen(want)) == 0)
        return;
    printf("%s: got %s, wanted %s\n", what, got ? got : "nothing", want);
    failures++;
}

/* Options ------------------------------------------------------------------------ */

static const struct { const char *text, *err, *url, *host, *on, *rest; } words[] = {
    {"remote -url=http://h:1 -on=cpu", NULL, "http://h:1", "h:1", "cpu", ""},
    {"-on=cuda -arch=sm_80 -url=https://h/moon/ -build", NULL, "https://h/moon", "h", "cuda",
     "-arch=sm_80 -build"},
    {"-url=http://[::1]:8411 -plain -threads=2", NULL, "http://[::1]:8411", "[::1]:8411", "",
     "-threads=2"},
    {"", "@remote_url\037\0370\0370\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=ftp://h", "@remote_url\037ftp://h\0371", NULL, NULL, NULL, NULL},
    {"-url=http://me@h", "@remote_url\037..\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=http://h?token=x", "@remote_url\037..\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=http://", "@remote_url\037http://\0370\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=http://:80", "@remote_url\037http://:80\0370\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=http://h%2f", "@remote_url\037http://h%2f\0370\0370\0371", NULL, NULL, NULL, NULL},
    {"-url=http://h -on=", "@target_value", NULL, NULL, NULL, NULL},
    {"-url=http://h -on=remote", "@target_value", NULL, NULL, NULL, NULL},
};

static void options(void)
{
    unsetenv("MOONTILE_URL");
    for (size_t i = 0; i < COUNT(words); i++) {
        RemoteOptions o;
        char *err = dev_said(remote_options(words[i].text, &o));
        if (words[i].err) {
            expect(words[i].text, err, words[i].err);
        } else {
            expect(words[i].text, err ? err : "fine", "fine");
            expect(words[i].text, o.url, words[i].url);
            expect(words[i].text, o.host, words[i].host);
            expect(words[i].text, o.on, words[i].on);
            expect(words[i].text, o.rest.s ? o.rest.s : "", words[i].rest);
        }
        str_free(&o.rest);
        free(err);
    }
}

/* A spec stands for the target there, whose machine programs are lowered for. */
static void there(void)
{
    Ctx c;
    const char *rest = "-url=http://h -on=cuda -arch=sm_80";
    ctx_init(&c, NULL, 0);
    const Target *t = target_there(&c, &remote_target, &rest);
    expect("there", t ? t->name : NULL, "cuda");
    expect("there", rest, "-arch=sm_80");
    rest = "-url=http://h -on=nosuch";
    if (target_there(&c, &remote_target, &rest) || c.nerror != 1)
        expect("there", "a target", "an error");
    ctx_free(&c);
}

/* Refusals ------------------------------------------------------------------------- */

static const struct { long status; const char *text; bool token; const char *want; } refusals[] = {
    {401, "{\"error\": {\"id\": \"serve_token\", \"args\": []}}", false, "@remote_token\037h\0371"},
    {401, "{\"error\": {\"id\": \"serve_token\", \"args\": []}}", true, "@remote_token\037h\0370"},
    {404, "{\"error\": {\"id\": \"serve_session_gone\", \"args\": [\"ab\", \"idle\", \"600\"]}}", true,
     "!?@remote_gone\037h\0371\0371\0371"},
    {404, "{\"error\": {\"id\": \"serve_session_gone\", \"args\": [\"ab\", \"revoked\"]}}", true,
     "!?@remote_gone\037h\0370\0371\0370"},
    {404, "{\"error\": {\"id\": \"serve_session_gone\", \"args\": []}}", true,
     "!?@remote_gone\037h\0371\0370\0371"},
    {413, "{\"error\": {\"id\": \"serve_quota\", \"args\": [\"kernels\", \"2\", \"1\"]}}", true,
     "@=serve_quota\037kernels\0372\0371"},
    {422, "{\"error\": {\"id\": \"later\", \"args\": [], \"text\": {\"en\": \"a\\nb\", \"zh\": \"c\"}}}", true,
     "@remote_refused\037h\037a b\037c"},
    {422, "{\"error\": {\"id\": \"later\", \"args\": 7}}", true, "@remote_refused\037h\037later\037later"},
    {500, "{\"error\": \"text\"}", true, "@remote_answer\037h\037HTTP 2xx\037HTTP 500: {\"error\""},
    {500, "\001\377\nmore", true, "@remote_answer\037h\037HTTP 2xx\037HTTP 500: ??"},
    {301, "", true, "@remote_answer\037h\037HTTP 2xx\037HTTP 301"},
};

static void refused(void)
{
    for (size_t i = 0; i < COUNT(refusals); i++) {
        const char *s = refusals[i].text;
        DevError e = said_refused("h", refusals[i].status, s, strlen(s), refusals[i].token);
        char *err = dev_said(e);
        expect(s, err, refusals[i].want);
        free(err);
    }
}

/* A message of the compiler there, with its place and its notes. */
static void reported(void)
{
    static const char text[] =
        "{\"error\": {\"id\": \"argument_bounds\", \"args\": [\"1\\u001f2\", \"3\\n4\"], \"file\": \"a:b.lua\","
        " \"line\": 7, \"col\": 3, \"notes\": [{\"id\": \"nosuch\", \"args\": []}, {\"id\": \"called\","
        " \"args\": [], \"line\": 9}]}}";
    json_t *o = said_object(text, strlen(text));
    Message m = said_message(o);
    Str out = {0};
    DevMessage *list = said_report(&m);
    if (list)
        dev_message_text(list, &out);
    expect("report", out.s, "@argument_bounds\037a:b.lua:7:3\0371 2\0373 4\n@called\037:9:0");
    str_free(&out);
    free(list);
    json_decref(o);
    if (said_object("[1]", 3) || said_object("{\"a\": 1, \"a\": 2}", 16) || said_object("{\"a\"", 4))
        expect("json", "an object", "none");
}

/* Compressing ------------------------------------------------------------------------ */

static void pack(void)
{
    enum { N = 1 << 20 };
    char *zeros = calloc(1, N), *noise = malloc(N);
    uint64_t x = 88172645463325252u;
    for (int i = 0; noise && i < N; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        noise[i] = (char)x;
    }
    const struct { const char *s; double up; bool want; const char *what; } cases[] = {
        {zeros, 1e5, true, "zeros on a slow link"}, {noise, 1e5, false, "noise on a slow link"},
        {zeros, 5e9, false, "zeros on a fast link"}, {zeros, 0, false, "a link that is not known"},
    };
    for (size_t i = 0; zeros && noise && i < COUNT(cases); i++) {
        Str out = {0};
        NetLink l = {.up = cases[i].up};
        if (remote_pack(&l, cases[i].s, N, &out) != cases[i].want)
            expect(cases[i].what, cases[i].want ? "not packed" : "packed", "the other");
        str_free(&out);
    }
    free(zeros);
    free(noise);
}

int main(void)
{
    targets_init();
    options();
    there();
    refused();
    reported();
    pack();
    return failures != 0;
}
