/* place.c -- see place.h. */
#include "place.h"

#include "base/buffer.h"
#include "base/num.h"
#include "source/zstd.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARK_0 = 0xFE, MARK_1 = 0xED, MOST_FILES = 64, MOST_NAME = 200 };

static char root[64];
static char *made[MOST_FILES * 4]; /* written entries, folders before their contents */
static size_t made_count;

/* ---- the folder --------------------------------------------------------------------------- */

static void leave(void)
{
    place_clear();
    rmdir(root);
}

const char *place_folder(void)
{
    if (*root) return root;
    snprintf(root, sizeof root, "%s/numel-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    FUZZ_ASSERT(mkdtemp(root), "no folder can be made");
    atexit(leave);
    return root;
}

const char *place_path(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", place_folder(), name);
    return path;
}

static void note(const char *path)
{
    FUZZ_ASSERT(made_count < sizeof made / sizeof *made, "too many files");
    made[made_count] = strdup(path);
    FUZZ_ASSERT(made[made_count++], "out of memory");
}

void place_clear(void)
{
    while (made_count) {
        char *path = made[--made_count];
        if (unlink(path) != 0) rmdir(path);
        free(path);
    }
}

/* ---- files -------------------------------------------------------------------------------- */

void place_folders(const char *name)
{
    char part[MOST_NAME + 1];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (mkdir(place_path(part), 0700) == 0) note(place_path(part));
    }
}

void place_file(const char *name, const void *p, size_t n)
{
    const char *path = place_path(name);
    bool is_new = access(path, F_OK) != 0;
    FILE *f = fopen(path, "wb");
    if (!f) return; /* an existing folder, or a name that the system refuses */
    if (is_new) note(path);
    FUZZ_ASSERT((n == 0 || fwrite(p, 1, n, f) == n) && fclose(f) == 0, "a file cannot be written");
}

static void put_head(const char *name, const uint8_t *p, size_t n, bool marked)
{
    struct buffer b;
    numel_error e;
    uint64_t original = n >= 8 ? num_load(p, 8, false) : n;
    size_t skip = marked && n >= 8 ? 8 : 0;
    buffer_init(&b, &memory_malloc);
    FUZZ_ASSERT(zstd_write_head(&b, p + skip, n - skip, original, NULL, 0, &e), "no frame");
    place_file(name, b.p + (marked ? 0 : 16), b.n - (marked ? 0 : 16));
    buffer_done(&b);
}

static void put_named(const uint8_t *p, size_t n)
{
    char name[MOST_NAME + 1];
    size_t length = 0;
    while (length < n && length < MOST_NAME && p[length] != '\n') length++;
    for (size_t i = 0; i < length; i++) name[i] = p[i] == '/' || p[i] == 0 ? '_' : (char)p[i];
    name[length] = 0;
    if (!length || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
    if (length < n) length++;
    place_file(name, p + length, n - length);
}

static void put_one(const struct place_row *row, const uint8_t *p, size_t n)
{
    if (row->form == PLACE_NAMED) {
        put_named(p, n);
        return;
    }
    place_folders(row->name);
    if (row->form == PLACE_LINK) {
        if (symlink(row->target, place_path(row->name)) == 0) note(place_path(row->name));
    } else if (row->form == PLACE_BYTES) place_file(row->name, p, n);
    else put_head(row->name, p, n, row->form == PLACE_HEAD);
}

/* ---- cutting ------------------------------------------------------------------------------ */

struct piece {
    size_t row, at, n;
};

static size_t cut(const uint8_t *p, size_t n, size_t rows, struct piece *pieces)
{
    size_t count = 0, from = 0, row = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && (n - i < 3 || p[i] != MARK_0 || p[i + 1] != MARK_1)) continue;
        if (i > 0 && count < MOST_FILES) pieces[count++] = (struct piece){ row, from, i - from };
        if (i == n) break;
        row = p[i + 2] % rows;
        from = i + 3;
        i += 2;
    }
    return count;
}

bool place_put(const struct place_row *rows, size_t count, const uint8_t *data, size_t size)
{
    struct piece pieces[MOST_FILES];
    size_t n = cut(data, size, count, pieces);
    for (size_t i = 0; i < n; i++) put_one(&rows[pieces[i].row], data + pieces[i].at, pieces[i].n);
    return n > 0;
}

/* ---- mutating ----------------------------------------------------------------------------- */

enum { MOST_PIECE = 1 << 16 };

static bool has(const char *name, const char *part) { return strstr(name, part) != NULL; }

static size_t mutate_piece(const struct place_row *row, uint8_t *p, size_t n, size_t most, struct dice *d)
{
    const char *name = row->name ? row->name : "";
    size_t skip = row->form == PLACE_HEAD && n >= 8 ? 8 : 0;
    if (has(name, ".json")) return mutate_json(p, n, most, d);
    if (has(name, ".safetensors")) return skip + mutate_safetensors(p + skip, n - skip, most - skip, d);
    if (has(name, ".gguf")) return skip + mutate_gguf(p + skip, n - skip, most - skip, d);
    return mutate_lines(p, n, most, d);
}

static size_t mutate_inside(const struct place_row *row, const struct piece *x, uint8_t *p, size_t n,
                            size_t most, struct dice *d)
{
    size_t room = most - (n - x->n);
    uint8_t *copy = malloc(MOST_PIECE);
    if (!copy || x->n > MOST_PIECE || room == 0) return free(copy), LLVMFuzzerMutate(p, n, most);
    memcpy(copy, p + x->at, x->n);
    size_t changed = mutate_piece(row, copy, x->n, room < MOST_PIECE ? room : MOST_PIECE, d);
    n = mutate_splice(p, n, most, x->at, x->n, copy, changed);
    free(copy);
    return n;
}

size_t mutate_files(const struct place_row *rows, size_t count, uint8_t *p, size_t n, size_t most,
                    struct dice *d)
{
    struct piece pieces[MOST_FILES];
    size_t pieces_count = cut(p, n, count, pieces), what = dice_roll(d, 24);
    if (!pieces_count || what == 0) return LLVMFuzzerMutate(p, n, most);
    const struct piece *x = &pieces[dice_roll(d, pieces_count)];
    size_t head = x->at < 3 ? x->at : 3;
    if (what > 3) return mutate_inside(&rows[x->row], x, p, n, most, d);
    if (what == 1) return mutate_splice(p, n, most, x->at - head, x->n + head, NULL, 0);
    if (what == 2 && head == 3) p[x->at - 1] = (uint8_t)dice_roll(d, count);
    if (what == 3) { /* duplicated under another name */
        size_t more = mutate_splice(p, n, most, n, 0, p + x->at - head, x->n + head);
        if (more != n && head == 3) p[n + 2] = (uint8_t)dice_roll(d, count);
        return more;
    }
    return n;
}
