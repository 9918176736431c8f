/* compile.c: the text of kernels -> a shared object, by a C++ compiler of this machine.
 *
 * STANDIN_CXX names it (clang++-19), STANDIN_FOLDER the folder of device.hpp,
 * STANDIN_PCH one where device.hpp lies compiled (hip.pch, maca.pch: a third of the time),
 * STANDIN_CACHE one where objects of texts that were compiled before lie, and
 * STANDIN_TEXTS one that gets each text that there is to compile.  The linker is
 * called without the compiler, whose start takes longer than its work; STANDIN_LIBGCC is
 * what the compiler's code calls for 16-bit floats. */
#include "standin.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef STANDIN_LIBGCC
#define STANDIN_LIBGCC "libgcc.a" /* lib/standin.sh names the compiler's own */
#endif

/* Also of what device.hpp is compiled with, lib/standin.sh. */
#define STANDIN_CXXFLAGS \
    "-std=c++17", "-O0", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fno-exceptions", \
    "-fno-rtti", "-w"

typedef struct Buf Buf;
struct Buf { char *s; size_t n; };

static void add(Buf *b, const char *s, size_t n)
{
    b->s = realloc(b->s, b->n + n + 1);
    if (!b->s)
        abort();
    memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = '\0';
}

static void puts_to(Buf *b, const char *s) { add(b, s, strlen(s)); }

/* The text, in which the extern shared memory is one of this thread's, without the remark
 * at its head: kernels that differ in it alone are one. */
static void translate(Buf *out, const char *text)
{
    static const char was[] = "extern __shared__ ";
    if (strncmp(text, "// ", 3) == 0)
        text += strcspn(text, "\n");
    for (const char *at; (at = strstr(text, was)); text = at + sizeof was - 1) {
        add(out, text, (size_t)(at - text));
        puts_to(out, "extern thread_local ");
    }
    puts_to(out, text);
}

/* Behind the text: the kernels by their names, which stand before a bracket, behind
 * `extern "C" __global__ void` and bounds. */
static void list_kernels(Buf *out, const char *text)
{
    static const char head[] = "extern \"C\" __global__ void";
    Buf calls = {0}, rows = {0};
    char line[512];
    int n = 0;
    for (const char *at = text; (at = strstr(at, head)); n++) {
        int bound = 0;
        at += sizeof head - 1;
        at += strspn(at, " \n");
        if (strncmp(at, "__launch_bounds__(", 18) == 0) {
            bound = atoi(at + 18);
            at = strchr(at, ')') + 1;
            at += strspn(at, " \n");
        }
        int len = 0;
        while (isalnum((unsigned char)at[len]) || at[len] == '_')
            len++;
        snprintf(line, sizeof line, "static void standin_%d(void **p) { standin_start(%.*s, p); "
                 "}\n", n, len, at);
        puts_to(&calls, line);
        const char *sync = strstr(at, "grid_sync("), *next = strstr(at, head);
        snprintf(line, sizeof line, "    {\"%.*s\", standin_%d, standin_nparam(%.*s), "
                 "standin_sizes(%.*s), %d, %d},\n", len, at, n, len, at, len, at, bound,
                 sync && (!next || sync < next));
        puts_to(&rows, line);
    }
    puts_to(out, "\n");
    if (calls.s)
        puts_to(out, calls.s);
    puts_to(out, "alignas(1024) thread_local unsigned char smem[131072];\n"
                 "static void standin_bind(const StandinApi *a) { standin_api = *a; }\n"
                 "static unsigned char *standin_shared() { return smem; }\n"
                 "static const StandinKernel standin_kernels[] = {\n");
    if (rows.s)
        puts_to(out, rows.s);
    snprintf(line, sizeof line, "    {nullptr, nullptr, 0, nullptr, 0, 0},\n};\n"
             "extern \"C\" const StandinModule standin_module = {standin_kernels, %d, "
             "standin_bind, standin_shared};\n", n);
    puts_to(out, line);
    free(calls.s);
    free(rows.s);
}

static unsigned long long hash(const char *s)
{
    unsigned long long h = 14695981039346656037ull;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211ull;
    return h;
}

static int copy_file(const char *from, const char *to)
{
    char buf[1 << 14];
    size_t n;
    FILE *f = fopen(from, "rb"), *g = f ? fopen(to, "wb") : NULL;
    while (g && (n = fread(buf, 1, sizeof buf, f)) > 0)
        fwrite(buf, 1, n, g);
    if (f)
        fclose(f);
    return g ? fclose(g) == 0 : 0;
}

/* Runs a program with `text` as its input; its exit status, its output in *log. */
static int run(const char *text, size_t n, const char *const *argv, char **log)
{
    Buf out = {0};
    char in[] = "/tmp/standin-XXXXXX", buf[4096];
    int fd = mkstemp(in), pipes[2], status = -1;
    ssize_t k;
    unlink(in);
    if (fd < 0 || pipe(pipes) < 0 || write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) < 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        union { const char *const *c; char *const *v; } args = {.c = argv};
        dup2(fd, 0);
        dup2(pipes[1], 1);
        dup2(pipes[1], 2);
        close(pipes[0]);
        execvp(argv[0], args.v);
        _exit(127);
    }
    close(pipes[1]);
    while ((k = read(pipes[0], buf, sizeof buf)) > 0)
        add(&out, buf, (size_t)k);
    close(pipes[0]);
    close(fd);
    waitpid(pid, &status, 0);
    *log = out.s;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A worker of what is judged gets to know the environment by name; ours comes to it as a file, a
 * NAME=value on each line, by a name that may name libraries. */
__attribute__((constructor)) static void settings(void)
{
    const char *name = getenv("MOONTILE_STANDIN_LIB");
    FILE *f = name ? fopen(name, "re") : NULL;
    char line[4096], *value;
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if ((value = strchr(line, '=')) != NULL) {
            *value++ = '\0';
            setenv(line, value, 0);
        }
    }
    if (f)
        fclose(f);
}

/* Compiles `text` to an object; device.hpp has been read already where it can be. */
static int compile(const Buf *text, int maca, const char *object, char **log)
{
    const char *cxx = getenv("STANDIN_CXX"), *folder = getenv("STANDIN_FOLDER"),
               *pch = getenv("STANDIN_PCH");
    char include[1024], head[1024] = "";
    snprintf(include, sizeof include, "-I%s", folder ? folder : ".");
    if (pch && *pch)
        snprintf(head, sizeof head, "%s/%s.pch", pch, maca ? "maca" : "hip");
    const char *argv[] = {cxx ? cxx : "clang++-19", "-x", "c++", STANDIN_CXXFLAGS, include,
                          maca ? "-DSTANDIN_MACA=1" : "-w", "-c", "-o", object, "-",
                          *head ? "-include-pch" : NULL, head, NULL};
    return run(text->s, text->n, argv, log);
}

/* A file of its own for each text. */
static void keep_text(const char *folder, const char *text, unsigned long long key)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%016llx", folder, key);
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
}

int standin_compile(const char *text, const char *arch, const char *path, char **log)
{
    const char *cache = getenv("STANDIN_CACHE"), *texts = getenv("STANDIN_TEXTS");
    Buf all = {0};
    char kept[1024] = "", temp[1100];
    int maca = strncmp(arch, "xcore", 5) == 0;
    puts_to(&all, maca ? "#define STANDIN_MACA 1\n" : "");
    puts_to(&all, "#include \"device.hpp\"\n#line 1 \"kernel\"\n");
    translate(&all, text);
    list_kernels(&all, text);
    *log = NULL;
    if (texts && *texts)
        keep_text(texts, text, hash(all.s));
    if (cache)
        snprintf(kept, sizeof kept, "%s/%016llx-%zu.so", cache, hash(all.s), all.n);
    if (cache && copy_file(kept, path)) {
        free(all.s);
        return 0;
    }
    char object[1024];
    snprintf(object, sizeof object, "%s.o", path);
    /* libm is the stand-in's; what a kernel is called may also be a name of the program's */
    const char *link[] = {"ld", "-shared", "-Bsymbolic", "-o", path, object, STANDIN_LIBGCC, NULL};
    int r = compile(&all, maca, object, log);
    if (r == 0) {
        free(*log);
        r = run("", 0, link, log);
    }
    unlink(object);
    if (r == 0 && cache) {
        snprintf(temp, sizeof temp, "%s.%ld", kept, (long)getpid());
        if (copy_file(path, temp))
            rename(temp, kept);
    }
    free(all.s);
    return r;
}
