/* core/tensor/npy.c: NumPy's .npy (versions 1 to 3) and .npz files, in and out.
 *
 * A .npy file is a magic string, a version, the length of a header, the header
 * (a Python dict literal with descr, fortran_order and shape) and the elements.
 * A .npz file is a zip archive of them.  Whatever a file claims is checked
 * against its size before memory is taken. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unzip.h>
#include <zip.h>

#include "core/base/disk.h"
#include "tensor.h"
#include "err/host.h"

enum { MaxHeader = 1 << 20, IoBytes = 1 << 20 };

static const Loc nowhere;

/* Input ------------------------------------------------------------------- */

/* A plain file or the current entry of an archive, and how much is left. */
typedef struct Src Src;
struct Src {
    Ctx *c;
    const char *name; /* for messages */
    FILE *f;
    unzFile z;
    uint64_t left;
};

static bool src_read(Src *s, void *p, uint64_t n)
{
    char *at = p;
    if (n > s->left)
        return false;
    s->left -= n;
    while (n) {
        unsigned k = n < IoBytes ? (unsigned)n : IoBytes;
        int got = s->f ? (int)fread(at, 1, k, s->f) : unzReadCurrentFile(s->z, at, k);
        if (got <= 0)
            return false;
        at += got;
        n -= (uint64_t)got;
    }
    return true;
}

/* Header ------------------------------------------------------------------ */

typedef struct Header Header;
struct Header {
    char descr[64];  /* "<f4" */
    char field[32];  /* name of the one field of a structured type, or "" */
    bool fortran;
    int ndim;
    int64_t shape[TensorDims];
};

/* A cursor in the header's text. */
typedef struct HeaderText HeaderText;
struct HeaderText {
    const char *s, *at, *end;
};

static void npy_blanks(HeaderText *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t'))
        t->at++;
}

static bool eat(HeaderText *t, char ch)
{
    npy_blanks(t);
    if (t->at >= t->end || *t->at != ch)
        return false;
    t->at++;
    return true;
}

static bool npy_at(HeaderText *t, char ch)
{
    npy_blanks(t);
    return t->at < t->end && *t->at == ch;
}

/* A comma, which may be left out before the closing bracket. */
static bool npy_comma(HeaderText *t, char closing) { return eat(t, ',') || npy_at(t, closing); }

static bool text_word(HeaderText *t, const char *w)
{
    size_t n = strlen(w);
    npy_blanks(t);
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, w, n) != 0)
        return false;
    t->at += n;
    return true;
}

static bool npy_quoted(HeaderText *t, char *out, size_t size)
{
    size_t n = 0;
    npy_blanks(t);
    if (t->at >= t->end || (*t->at != '\'' && *t->at != '"'))
        return false;
    char q = *t->at++;
    while (t->at < t->end && *t->at != q) {
        if (n + 1 >= size || *t->at == '\\' || (unsigned char)*t->at < ' ')
            return false;
        out[n++] = *t->at++;
    }
    out[n] = '\0';
    return eat(t, q);
}

static bool integer(HeaderText *t, int64_t *v)
{
    const char *start;
    npy_blanks(t);
    *v = 0;
    for (start = t->at; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
        if (*v > INT64_MAX / 10 - 1)
            return false;
        *v = *v * 10 + (*t->at - '0');
    }
    if (t->at < t->end && *t->at == 'L') /* Python 2 */
        t->at++;
    return t->at > start;
}

/* '<f4' or [('bfloat16', '<V2')] */
static bool descr(HeaderText *t, Header *h)
{
    if (!eat(t, '['))
        return npy_quoted(t, h->descr, sizeof h->descr);
    return eat(t, '(') && npy_quoted(t, h->field, sizeof h->field) && eat(t, ',') &&
           npy_quoted(t, h->descr, sizeof h->descr) && eat(t, ')') && npy_comma(t, ']') &&
           eat(t, ']');
}

static bool npy_shape(HeaderText *t, Header *h)
{
    if (!eat(t, '('))
        return false;
    while (!eat(t, ')')) {
        if (h->ndim == TensorDims || !integer(t, &h->shape[h->ndim++]) || !npy_comma(t, ')'))
            return false;
    }
    return true;
}

static bool dict(HeaderText *t, Header *h)
{
    enum { Descr = 1, Order = 2, Shape = 4 };
    int seen = 0;
    char key[16];
    if (!eat(t, '{'))
        return false;
    while (!eat(t, '}')) {
        int now = !npy_quoted(t, key, sizeof key)            ? 0
                  : strcmp(key, "descr") == 0            ? Descr
                  : strcmp(key, "fortran_order") == 0    ? Order
                  : strcmp(key, "shape") == 0            ? Shape
                                                             : 0;
        if (!now || seen & now || !eat(t, ':'))
            return false;
        seen |= now;
        if (now == Order) {
            h->fortran = text_word(t, "True");
            if (!h->fortran && !text_word(t, "False"))
                return false;
        } else if (!(now == Descr ? descr(t, h) : npy_shape(t, h))) {
            return false;
        }
        if (!npy_comma(t, '}'))
            return false;
    }
    npy_blanks(t);
    return seen == (Descr | Order | Shape) && t->at == t->end;
}

static bool bad_format(Src *s, uint64_t at)
{
    diag(s->c, E_npy_format, nowhere, s->name, afmt(s->c, "%" PRIu64, at), NULL);
    return false;
}

static bool npy_header(Src *s, Header *h)
{
    unsigned char p[12];
    *h = (Header){0};
    if (!src_read(s, p, 8) || memcmp(p, "\x93NUMPY", 6) != 0)
        return bad_format(s, 0);
    if (p[6] < 1 || p[6] > 3 || !src_read(s, p + 8, p[6] == 1 ? 2 : 4))
        return bad_format(s, 6);
    uint64_t n = p[8] | (uint64_t)p[9] << 8, at = 10;
    if (p[6] > 1) {
        n |= (uint64_t)p[10] << 16 | (uint64_t)p[11] << 24;
        at = 12;
    }
    char *text = n <= MaxHeader && n <= s->left ? malloc((size_t)n + 1) : NULL;
    if (!text || !src_read(s, text, n)) {
        free(text);
        return bad_format(s, 8);
    }
    HeaderText t = {text, text, text + n};
    bool ok = dict(&t, h);
    uint64_t where = at + (uint64_t)(t.at - text);
    free(text);
    return ok || bad_format(s, where);
}

/* Element types ------------------------------------------------------------ */

static const struct {
    const char *kind; /* of descr, without the byte order */
    enum Dtype dt;
} kinds[] = {
    {"b1", DTbool}, {"i1", DTi8},  {"i2", DTi16}, {"i4", DTi32}, {"i8", DTi64},
    {"u1", DTu8},   {"u2", DTu16}, {"u4", DTu32}, {"u8", DTu64}, {"f2", DTf16},
    {"f4", DTf32},  {"f8", DTf64}, {"V2", DTbf16}, {"f1", DTe5m2},
};

/* What the elements are; *stored: as what they lie in the file, which differs
 * for 4-bit numbers, one to a byte. */
static enum Dtype npy_element_type(Src *s, const Header *h, enum Dtype raw, enum Dtype *stored)
{
    const char *kind = h->descr + (strchr("<>|=", h->descr[0]) != NULL && h->descr[0]);
    enum Dtype dt = h->field[0] ? dtypebyname(h->field) : dtypebyname(h->descr);
    for (size_t i = 0; i < COUNT(kinds) && dt == DTnone && !h->field[0]; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            dt = kinds[i].dt;
    bool nameless = dt == DTnone && strcmp(kind, "V1") == 0;
    if (nameless && raw != DTnone && dtypeinfo[raw].bits <= 8)
        dt = raw;
    if (dt == DTnone)
        diag(s->c, nameless ? E_npy_raw : E_npy_dtype, nowhere, s->name, h->descr, NULL);
    *stored = dt == DTi4 ? DTi8 : dt == DTu4 ? DTu8 : dt;
    int bytes = dtypeinfo[*stored].bits / 8;
    if (dt != DTnone && h->field[0] && (!kind[0] || kind[1] != '0' + bytes || kind[2])) {
        diag(s->c, E_npy_dtype, nowhere, s->name, h->descr, NULL);
        return DTnone;
    }
    return dt;
}

static void swap(char *p, int64_t count, int size)
{
    for (int64_t i = 0; i < count; i++, p += size)
        for (int a = 0, b = size - 1; a < b; a++, b--) {
            char t = p[a];
            p[a] = p[b];
            p[b] = t;
        }
}

static const char *npy_shape_text(Ctx *c, int ndim, const int64_t *v)
{
    char *s = afmt(c, "(");
    for (int d = 0; d < ndim; d++)
        s = afmt(c, "%s%s%" PRId64, s, d ? ", " : "", v[d]);
    return afmt(c, "%s)", s);
}

static bool npy_no_memory(Src *s, enum Dtype dt, const Header *h, int64_t bytes)
{
    diag(s->c, E_tensor_memory, nowhere, dtypeinfo[dt].name,
         npy_shape_text(s->c, h->ndim, h->shape), afmt(s->c, "%" PRId64 " MiB", bytes >> 20), NULL);
    return false;
}

/* The elements' size in the file; -1 when it passes what any file can hold. */
static int64_t payload(const Header *h, enum Dtype stored)
{
    int64_t n = dtypeinfo[stored].bits / 8;
    for (int d = 0; d < h->ndim; d++) {
        int64_t e = h->shape[d];
        if (e && n > ((int64_t)1 << 46) / e)
            return -1;
        n *= e;
    }
    return n;
}

static bool read_tensor(Src *s, enum Dtype raw, Tensor *t)
{
    Header h;
    enum Dtype stored;
    *t = (Tensor){0};
    if (!npy_header(s, &h))
        return false;
    enum Dtype dt = npy_element_type(s, &h, raw, &stored);
    if (dt == DTnone)
        return false;
    int64_t bytes = payload(&h, stored);
    if (bytes < 0 || (uint64_t)bytes > s->left) {
        diag(s->c, E_npy_short, nowhere, s->name, npy_shape_text(s->c, h.ndim, h.shape),
             dtypeinfo[dt].name,
             bytes < 0 ? "> 2^46" : afmt(s->c, "%" PRId64, bytes),
             afmt(s->c, "%" PRIu64, s->left), NULL);
        return false;
    }
    int dim[TensorDims];
    int64_t in_file[TensorDims];
    for (int d = 0; d < h.ndim; d++) { /* Fortran's order is C's, reversed */
        dim[d] = h.fortran ? h.ndim - 1 - d : d;
        in_file[d] = h.shape[dim[d]];
    }
    if (!tensor_new(t, stored, h.ndim, in_file))
        return npy_no_memory(s, dt, &h, bytes);
    if (!src_read(s, storage_write(t->st), (uint64_t)bytes)) {
        tensor_free(t);
        diag(s->c, s->f ? E_npy_open : E_npz_entry, nowhere, s->name,
             s->f ? strerror(errno) : "", NULL);
        return false;
    }
    int size = dtypeinfo[stored].bits / 8;
    if (h.descr[0] == '>')
        swap(storage_write(t->st), bytes / size, size);
    if (stored != dt) {
        Tensor packed;
        if (!tensor_clone(&packed, t, dt)) {
            tensor_free(t);
            return npy_no_memory(s, dt, &h, bytes);
        }
        tensor_free(t);
        *t = packed;
    }
    tensor_permute(t, dim);
    return true;
}

bool npy_load(Ctx *c, const char *path, enum Dtype raw, Tensor *t)
{
    Src s = {.c = c, .name = path, .f = fopen(path, "rb")};
    *t = (Tensor){0};
    off_t size = -1;
    if (s.f && fseeko(s.f, 0, SEEK_END) == 0 && (size = ftello(s.f)) >= 0)
        rewind(s.f);
    if (!s.f || size < 0) {
        diag(c, E_npy_open, nowhere, path, strerror(errno), NULL);
        if (s.f)
            fclose(s.f);
        return false;
    }
    s.left = (uint64_t)size;
    bool ok = read_tensor(&s, raw, t);
    fclose(s.f);
    return ok;
}

/* Archives in --------------------------------------------------------------- */

struct Npz {
    unzFile z;
    bool started;
    char *path, name[512];
};

Npz *npz_open(Ctx *c, const char *path)
{
    FILE *f = fopen(path, "rb"); /* for errno, which minizip does not keep */
    if (!f) {
        diag(c, E_npy_open, nowhere, path, strerror(errno), NULL);
        return NULL;
    }
    fclose(f);
    Npz *z = calloc(1, sizeof *z);
    if (!z || !(z->path = strdup(path)) || !(z->z = unzOpen64(path))) {
        diag(c, E_npz_format, nowhere, path, NULL);
        npz_close(z);
        return NULL;
    }
    return z;
}

void npz_close(Npz *z)
{
    if (!z)
        return;
    if (z->z)
        unzClose(z->z);
    free(z->path);
    free(z);
}

static bool bad_entry(Npz *z, Ctx *c)
{
    diag(c, E_npz_entry, nowhere, z->path, z->name, NULL);
    return false;
}

bool npz_next(Npz *z, Ctx *c, enum Dtype raw, const char **name, Tensor *t, bool *end)
{
    *t = (Tensor){0};
    int r = z->started ? unzGoToNextFile(z->z) : unzGoToFirstFile(z->z);
    z->started = true;
    unz_file_info64 info;
    *end = r == UNZ_END_OF_LIST_OF_FILE;
    if (*end)
        return false;
    unz_global_info64 global;
    if (unzGetGlobalInfo64(z->z, &global) == UNZ_OK && global.number_entry == 0) {
        *end = true;
        return false;
    }
    if (r != UNZ_OK || unzGetCurrentFileInfo64(z->z, &info, z->name, sizeof z->name - 1, NULL,
                                               0, NULL, 0) != UNZ_OK ||
        unzOpenCurrentFile(z->z) != UNZ_OK)
        return bad_entry(z, c);
    for (char *p = z->name; *p; p++) /* it may be shown on a terminal */
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    Src s = {.c = c, .name = z->name, .z = z->z, .left = info.uncompressed_size};
    bool ok = read_tensor(&s, raw, t);
    /* reads to the end, so that the checksum is looked at */
    char rest[512];
    while (ok && s.left && src_read(&s, rest, s.left < sizeof rest ? s.left : sizeof rest))
        ;
    if (unzCloseCurrentFile(z->z) == UNZ_CRCERROR && ok) {
        tensor_free(t);
        return bad_entry(z, c);
    }
    size_t n = strlen(z->name);
    if (n > 4 && strcmp(z->name + n - 4, ".npy") == 0)
        z->name[n - 4] = '\0';
    *name = z->name;
    return ok;
}

/* Output ---------------------------------------------------------------------- */

/* How a type is described: directly, or as a field that bears its name. */
static const char *const written[NDtype] = {
    [DTbool] = "'|b1'", [DTi8] = "'|i1'", [DTi16] = "'<i2'", [DTi32] = "'<i4'",
    [DTi64] = "'<i8'",  [DTu8] = "'|u1'", [DTu16] = "'<u2'", [DTu32] = "'<u4'",
    [DTu64] = "'<u8'",  [DTf16] = "'<f2'", [DTf32] = "'<f4'", [DTf64] = "'<f8'",
    [DTbf16] = "'<V2'",
    [DTi4] = "[('int4', '|i1')]",
    [DTu4] = "[('uint4', '|u1')]",
    [DTtf32] = "[('tfloat32', '<f4')]",
    [DTe4m3] = "[('float8_e4m3fn', '|V1')]",
    [DTe5m2] = "[('float8_e5m2', '|V1')]",
};

/* The header in full, the elements aligned to 64 bytes behind it. */
static void write_header(Str *b, const Tensor *t)
{
    Str d = {0};
    str_fmt(&d, "{'descr': %s, 'fortran_order': False, 'shape': (", written[t->dt]);
    for (int i = 0; i < t->ndim; i++)
        str_fmt(&d, "%" PRId64 "%s", t->shape[i], t->ndim == 1 ? "," : i + 1 < t->ndim ? ", " : "");
    str_puts(&d, "), }");
    while ((10 + d.n + 1) % 64)
        str_puts(&d, " ");
    str_puts(&d, "\n");
    const char head[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(d.n & 255),
                           (char)(d.n >> 8)};
    str_add(b, head, sizeof head);
    str_add(b, d.s, d.n);
    b->bad = b->bad || d.bad;
    str_free(&d);
}

/* Where the bytes go: a file or an entry of an archive. */
typedef struct Sink Sink;
struct Sink {
    FILE *f;
    zipFile z;
};

static bool sink_write(Sink *s, const char *p, uint64_t n)
{
    for (unsigned k; n; p += k, n -= k) {
        k = n < IoBytes ? (unsigned)n : IoBytes;
        if (s->f ? fwrite(p, 1, k, s->f) != k : zipWriteInFileInZip(s->z, p, k) != ZIP_OK)
            return false;
    }
    return true;
}

static bool write_tensor(Sink *s, const Tensor *t)
{
    enum Dtype stored = t->dt == DTi4 ? DTi8 : t->dt == DTu4 ? DTu8 : t->dt;
    Tensor flat;
    if (stored == t->dt && tensor_compact(t))
        tensor_view(&flat, t);
    else if (!tensor_clone(&flat, t, stored))
        return false;
    Str head = {0};
    write_header(&head, t);
    int64_t size = dtypeinfo[stored].bits / 8;
    bool ok = !head.bad && sink_write(s, head.s, head.n) &&
              sink_write(s, storage_read(flat.st) + flat.offset * size,
                         (uint64_t)(tensor_count(t) * size));
    str_free(&head);
    tensor_free(&flat);
    return ok;
}

static bool cannot_write(Ctx *c, const char *path)
{
    diag(c, E_npy_write, nowhere, path, strerror(errno ? errno : EIO), NULL);
    return false;
}

bool npy_save(Ctx *c, const char *path, const Tensor *t)
{
    Disk d;
    Sink s = {0};
    if ((errno = disk_begin(&d, path)) != 0)
        return cannot_write(c, path);
    s.f = fopen(d.temp.s, "wb");
    bool ok = s.f && write_tensor(&s, t);
    if (s.f && fclose(s.f) != 0)
        ok = false;
    errno = disk_end(&d, ok ? 0 : errno ? errno : EIO);
    return !errno || cannot_write(c, path);
}

static bool write_entry(Sink *s, const char *name, const Tensor *t, bool compress)
{
    char file[512];
    /* a fixed date, so that equal tensors give equal files */
    const zip_fileinfo info = {.dosDate = 1 << 21 | 1 << 16};
    int n = snprintf(file, sizeof file, "%s.npy", name);
    int large = tensor_bytes(t->dt, tensor_count(t)) > INT32_MAX;
    if (n < 0 || (size_t)n >= sizeof file ||
        zipOpenNewFileInZip64(s->z, file, &info, NULL, 0, NULL, 0, NULL,
                              compress ? Z_DEFLATED : 0, compress ? 6 : 0, large) != ZIP_OK)
        return false;
    bool ok = write_tensor(s, t);
    return zipCloseFileInZip(s->z) == ZIP_OK && ok;
}

bool npz_save(Ctx *c, const char *path, int n, const char *const *name,
              const Tensor *const *t, bool compress)
{
    Disk d;
    Sink s = {0};
    if ((errno = disk_begin(&d, path)) != 0)
        return cannot_write(c, path);
    s.z = zipOpen64(d.temp.s, APPEND_STATUS_CREATE);
    bool ok = s.z != NULL;
    for (int i = 0; i < n && ok; i++)
        ok = write_entry(&s, name[i], t[i], compress);
    if (s.z && zipClose(s.z, NULL) != ZIP_OK)
        ok = false;
    errno = disk_end(&d, ok ? 0 : errno ? errno : EIO);
    return !errno || cannot_write(c, path);
}
