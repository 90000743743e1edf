/*
 * cards.c -- the memory of graphics cards: by name, from src/data/cards/cards.table, and of this machine.
 *
 * Linux has it in /proc/driver/nvidia/gpus/PCI/information (only the name of the card) and, for AMD, in
 * /sys/class/drm/cardN/device/mem_info_vram_total.
 */
#include "base/fixed.h"
#include "base/number.h"
#include "base/text.h"
#include "formula/embedded.h"
#include "page/report.h"
#include "source/folder.h"

struct card {
    numel_str id, name;
    uint64_t bytes;
};

/* ---- by name ------------------------------------------------------------------------------ */

enum { NAME_MOST = 64 };

/* The next line of the table; false at its end. */
static bool next_card(numel_str *rest, struct card *out)
{
    if (!rest->p) *rest = (numel_str){ embedded_text + embedded_cards, embedded_cards_bytes };
    while (rest->n) {
        numel_str line = text_line(rest);
        uint64_t usable, marketed;
        out->id = text_word(&line);
        bool known = number_plain(text_word(&line), &usable);
        bool sized = number_plain(text_word(&line), &marketed);
        (void)text_word(&line); /* its source */
        out->name = line;
        out->bytes = known ? usable << 20 : marketed * 1000000000;
        if (out->id.n && sized) return true;
    }
    return false;
}

/* Lower case, without what people leave out. */
static numel_str plain(char out[NAME_MOST], numel_str name)
{
    static const char *const dropped[] = { "nvidia", "geforce", "amd", "radeon", "instinct", "tesla" };
    char lower[NAME_MOST];
    size_t n = 0;
    numel_str rest = text_lower(lower, sizeof lower, name);
    while (rest.n) {
        size_t before = rest.n;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) text_take_start(&rest, dropped[i]);
        if (rest.n != before) continue;
        bool kept = text_first(rest) != ' ' && text_first(rest) != '-' && text_first(rest) != '_';
        if (kept) out[n++] = text_first(rest);
        rest = text_from(rest, 1);
    }
    return (numel_str){ out, n };
}

/* The card of that id or name. */
static bool find_card(numel_str name, struct card *out)
{
    char a[NAME_MOST], b[NAME_MOST];
    numel_str rest = { NULL, 0 }, wanted = plain(a, name);
    numel_str less = wanted; /* "a10080gb" is a100-80 */
    (void)text_take_end(&less, "gb");
    while (wanted.n && next_card(&rest, out)) {
        numel_str id = plain(b, out->id);
        if (text_same(id, wanted) || text_same(id, less) || text_same(plain(b, out->name), wanted))
            return true;
    }
    return false;
}

numel_rc numel_card_bytes(const char *name, uint64_t *bytes, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct card card;
    char quoted[TEXT_QUOTE], a[NAME_MOST], b[NAME_MOST], near[256];
    struct fixed list = FIXED(near);
    *bytes = 0;
    if (find_card(text_of(name), &card)) return *bytes = card.bytes, NUMEL_OK;
    numel_str rest = { NULL, 0 }, wanted = plain(a, text_of(name));
    bool any = false;
    while (next_card(&rest, &card)) {
        numel_str id = plain(b, card.id);
        if (wanted.n < 2 || text_seek(id, wanted) >= id.n) continue;
        fixed_text(&list, any ? ", " : "");
        fixed_add(&list, card.id);
        any = true;
    }
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "no card %s is known%s%s%s", text_quote(quoted, text_of(name)),
              any ? "; did you mean " : "", any ? near : "; give its memory, like 24GiB", any ? "?" : "");
    return e->code;
}

/* ---- of this machine ---------------------------------------------------------------------- */

struct here {
    struct arena arena;
    const char *root;
    uint64_t bytes;
    numel_str what;
};

/* The text of ROOT/DIR/NAME/FILE; NULL if there is none. */
NUMEL_MUST static const char *text_at(struct here *h, const char *dir, numel_str name, const char *file)
{
    char *folder = path_join(&h->arena, h->root, text_of(dir));
    char *own = folder ? path_join(&h->arena, folder, name) : NULL;
    char *path = own ? path_join(&h->arena, own, text_of(file)) : NULL;
    return path ? folder_text(&h->arena, path) : NULL;
}

static void take(struct here *h, uint64_t bytes, numel_str what)
{
    if (bytes <= h->bytes) return;
    h->bytes = bytes;
    h->what = what;
}

/* "Model: \t\t NVIDIA GeForce RTX 4090" in the first line. */
static void take_nvidia(struct here *h, numel_str gpu)
{
    struct card card;
    const char *text = text_at(h, "proc/driver/nvidia/gpus", gpu, "information");
    numel_str rest = text_of(text ? text : ""), line = text_line(&rest);
    if (!text_take_start(&line, "Model:")) return;
    while (text_first(line) == ' ' || text_first(line) == '\t') line = text_from(line, 1);
    if (find_card(line, &card)) take(h, card.bytes, line);
}

static void take_amd(struct here *h, numel_str card)
{
    uint64_t bytes;
    const char *text = text_at(h, "sys/class/drm", card, "device/mem_info_vram_total");
    if (text && number_plain(text_of(text), &bytes)) take(h, bytes, text_of("an AMD card"));
}

NUMEL_MUST static bool look(struct here *h, const char *dir, void (*take_entry)(struct here *, numel_str),
                            numel_error *e)
{
    struct folder f;
    char *path = path_join(&h->arena, h->root, text_of(dir));
    if (!path) return error_nomem(e);
    if (!folder_look(&f, path, &h->arena, e)) return false;
    for (size_t i = 0; i < f.count; i++) take_entry(h, f.entries[i].name);
    folder_done(&f);
    return !h->arena.failed || error_nomem(e);
}

/* "MemTotal:       65432 kB" */
static void take_ram(struct here *h)
{
    uint64_t kib;
    const char *text = text_at(h, "", text_of("proc"), "meminfo");
    numel_str rest = text_of(text ? text : "");
    if (text_equal(text_word(&rest), "MemTotal:") && number_plain(text_word(&rest), &kib) &&
        kib < UINT64_MAX >> 10)
        take(h, kib << 10, text_of("main memory"));
}

numel_rc numel_card_here(const char *root, uint64_t *bytes, bool *ram, char *what, size_t size,
                         numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct here h = { .root = root };
    arena_init(&h.arena, &memory_malloc);
    bool ok = look(&h, "proc/driver/nvidia/gpus", take_nvidia, e) && look(&h, "sys/class/drm", take_amd, e);
    *ram = ok && !h.bytes;
    if (*ram) take_ram(&h);
    *bytes = h.bytes;
    struct fixed said = fixed_of(what, size);
    fixed_add(&said, h.what);
    if (ok && !h.bytes)
        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "the system does not tell the size of its memory");
    arena_done(&h.arena);
    return e->code;
}
