/*
 * fuzz_pair.c -- everything with two inputs: an adapter and its base model, two checkpoints, a checkpoint
 * and a printout, a configuration, a manifest, a folder of other models.
 *
 * The first line of the input is "WAY LENGTH": the kind, and how many of the following bytes are the first
 * input; the rest is the second. A model is lines of "NAME DIM DIM ...", turned into a header-only file,
 * so that a mutant is another model rather than another broken file. The mutator takes names from the
 * built-in specifications, with the prefixes and suffixes of adapters and single files.
 */
#include "../../support/reports.h"
#include "common/place.h"
#include "common/splice.h"
#include "common/words.h"

#include "base/num.h"
#include "formula/embedded.h"

#include <string.h>
#include <unistd.h>

enum way { BASE, DIFF, PRINTOUT, CONFIG, NEAREST, MANIFEST, WAYS };
enum { TENSORS = 64, MOST_DIMS = 5, ELEMENTS = 1 << 24 };

struct pair {
    enum way way;
    numel_str part[2];
};

/* ---- the two inputs ----------------------------------------------------------------------- */

static uint64_t number(numel_str s)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.n && i < 9 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
        v = v * 10 + (uint64_t)(s.p[i] - '0');
    return v;
}

static struct pair cut(const uint8_t *data, size_t size)
{
    numel_str rest = { (const char *)data, size }, line = text_line(&rest);
    enum way way = (enum way)(number(text_word(&line)) % WAYS);
    uint64_t length = number(text_word(&line));
    return (struct pair){ way, { text_upto(rest, (size_t)length), text_from(rest, (size_t)length) } };
}

/* One tensor of the header; its last 2 * elements bytes are its data. */
static void put_tensor(struct buffer *b, numel_str line, uint64_t *data)
{
    numel_str name = text_word(&line);
    uint64_t elements = 1, begin = *data;
    if (b->n > 1) buffer_char(b, ',');
    text_json(b, name);
    buffer_text(b, ":{\"dtype\":\"F16\",\"shape\":[");
    for (unsigned i = 0; line.n && i < MOST_DIMS; i++) {
        uint64_t dim = number(text_word(&line));
        if (dim > ELEMENTS / (elements ? elements : 1)) dim = 1;
        elements *= dim;
        buffer_format(b, "%s%llu", i ? "," : "", (unsigned long long)dim);
    }
    *data += 2 * elements;
    buffer_format(b, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)begin, (unsigned long long)*data);
}

/* The model of the lines, as a file whose data are a hole. */
static void put_model(const char *file, numel_str lines)
{
    uint64_t data = 0;
    uint8_t length[8];
    struct buffer b, whole;
    buffer_init(&b, &memory_malloc);
    buffer_init(&whole, &memory_malloc);
    buffer_char(&b, '{');
    for (unsigned i = 0; lines.n && i < TENSORS;) {
        numel_str line = text_line(&lines);
        if (line.n) put_tensor(&b, line, &data), i++;
    }
    buffer_char(&b, '}');
    num_store_le64(length, b.n);
    buffer_add(&whole, length, sizeof length);
    buffer_add(&whole, b.p, b.n);
    place_file(file, whole.p, whole.n);
    FUZZ_ASSERT(truncate(place_path(file), (off_t)(whole.n + data)) == 0, "a file cannot be made longer");
    buffer_done(&b);
    buffer_done(&whole);
}

/* ---- reports ------------------------------------------------------------------------------ */

static void report(numel_rc rc, numel_report **r, const numel_error *e)
{
    FUZZ_CHECK(check_made(rc, *r, e, REPORT_KINDS, NULL));
    numel_report_free(*r);
    *r = NULL;
}

static numel_subject *model_of(const numel_checkpoint *ck, const numel_knowledge *k, const numel_options *o)
{
    numel_subject *model = NULL;
    numel_error e;
    numel_rc rc = numel_subject_of(&model, ck, k, o, &e);
    if (!rc && (rc = numel_subject_judge(model, NULL, &e))) numel_subject_close(model), model = NULL;
    FUZZ_ASSERT((rc == NUMEL_OK) == (model != NULL), "result and model disagree");
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    return model;
}

/* The only checkpoint in a file; NULL if it cannot be opened. */
static numel_checkpoint *opened(const char *file, const numel_options *o)
{
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_error e;
    numel_rc rc = numel_find(&found, place_path(file), o, &e);
    if (!rc) rc = numel_open(&ck, found, 0, o, &e);
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    numel_found_free(found);
    return ck;
}

/* Both reports that identify a model, with the given knowledge. */
static void known(const numel_checkpoint *ck, const numel_knowledge *k, const numel_options *o)
{
    static const numel_view view = { .size = sizeof view };
    numel_subject *model = model_of(ck, k, o);
    numel_report *r = NULL;
    numel_error e;
    if (!model) return;
    report(numel_report_reconcile(&r, model, &view, &e), &r, &e);
    report(numel_report_show(&r, model, &view, &e), &r, &e);
    numel_subject_close(model);
}

static void beside(const numel_checkpoint *ck, const struct pair *p, const numel_options *o)
{
    static const numel_view view = { .size = sizeof view };
    const numel_knowledge plain = { .size = sizeof plain, .declared_only = true };
    numel_printout page = { sizeof page, "page", p->part[1].p, p->part[1].n };
    numel_checkpoint *other = p->way == DIFF ? opened("other/base.safetensors", o) : NULL;
    numel_report *r = NULL;
    numel_error e;
    numel_subject *a = model_of(ck, &plain, o), *b = other ? model_of(other, &plain, o) : NULL;
    if (a && b) report(numel_report_diff(&r, a, b, &view, &e), &r, &e);
    if (a && p->way == PRINTOUT) report(numel_report_printout(&r, a, &page, &view, o, &e), &r, &e);
    numel_subject_close(a);
    numel_subject_close(b);
    numel_free(other);
}

static void verified(const numel_found *found, const numel_options *o)
{
    numel_check check = NUMEL_INIT(numel_check);
    numel_report *r = NULL;
    numel_error e;
    char manifest[300];
    snprintf(manifest, sizeof manifest, "%s", place_path("list.sha256"));
    check.manifest = manifest;
    numel_subject *s = NULL;
    numel_rc rc = numel_subject_at(&s, found, 0, NULL, o, &e);
    if (!rc) rc = numel_report_verify(&r, s, &check, &e);
    report(rc, &r, &e);
    numel_subject_close(s);
}

static void run(const struct pair *p, const numel_found *found, const numel_checkpoint *ck,
                const numel_options *o)
{
    static const numel_view view = { .size = sizeof view };
    numel_knowledge k = { .size = sizeof k, .declared_only = true };
    char path[300];
    snprintf(path, sizeof path, "%s", place_path(p->way == NEAREST ? "other" : "other/base.safetensors"));
    if (p->way == BASE) k.base = path;
    if (p->way == CONFIG) k.config_text = p->part[1].p, k.config_bytes = p->part[1].n;
    if (p->way == BASE || (p->way == CONFIG && p->part[1].n)) known(ck, &k, o);
    if (p->way == DIFF || p->way == PRINTOUT) beside(ck, p, o);
    if (p->way == MANIFEST) verified(found, o);
    if (p->way != NEAREST) return;
    numel_report *r = NULL;
    numel_error e;
    numel_subject *s = model_of(ck, NULL, o);
    if (s) report(numel_report_nearest(&r, s, path, false, &view, &e), &r, &e);
    numel_subject_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct check_memory m;
    struct pair p = cut(data, size);
    numel_options options = NUMEL_INIT(numel_options);
    numel_found *found = NULL;
    numel_checkpoint *ck = NULL;
    numel_error e;
    check_memory_init(&m, UINT64_MAX);
    options.allocator = &m.allocator;
    put_model("adapter.safetensors", p.part[0]);
    if (p.way == BASE || p.way == DIFF || p.way == NEAREST)
        place_folders("other/"), put_model("other/base.safetensors", p.part[1]);
    if (p.way == MANIFEST) place_file("list.sha256", p.part[1].p, p.part[1].n);
    numel_rc rc = numel_find(&found, place_path("adapter.safetensors"), &options, &e);
    if (!rc) rc = numel_open(&ck, found, 0, &options, &e);
    if (rc) FUZZ_CHECK(check_error(rc, &e, UINT64_MAX));
    if (ck) run(&p, found, ck, &options);
    numel_free(ck);
    numel_found_free(found);
    place_clear();
    FUZZ_CHECK(check_memory_done(&m, size, FUZZ_TENSORS));
    return 0;
}

/* ---- mutants ------------------------------------------------------------------------------ */

static const char *const fronts[] = { "",
                                      "",
                                      "transformer.",
                                      "unet.",
                                      "diffusion_model.",
                                      "model.diffusion_model.",
                                      "text_encoder.",
                                      "cond_stage_model.transformer.",
                                      "lora_unet_",
                                      "lora_te_",
                                      "lora_te2_",
                                      "lycoris_",
                                      "base_model.model.",
                                      "base_model.model.model.",
                                      "model.",
                                      "vae.",
                                      "conditioner.",
                                      "first_stage_model.",
                                      "text_encoders.clip_l.transformer.",
                                      "_orig_mod.",
                                      "module." };
static const char *const ends[] = { "",
                                    ".weight",
                                    ".bias",
                                    ".lora_A.weight",
                                    ".lora_B.weight",
                                    ".lora_down.weight",
                                    ".lora_up.weight",
                                    ".alpha",
                                    ".lora_magnitude_vector",
                                    ".base_layer.weight",
                                    ".hada_w1_a",
                                    ".lokr_w2_b",
                                    ".oft_blocks",
                                    ".diff",
                                    ".diff_b",
                                    ".modulation",
                                    ".dora_scale",
                                    ".modules_to_save.weight",
                                    ".qweight",
                                    ".down.weight",
                                    ".set_weight",
                                    ".a1.weight" };
static const uint64_t sizes[] = { 0,   1,   2,   3,    4,    8,    16,   64,   128,
                                  320, 640, 768, 1024, 1280, 2048, 3072, 4096, 32000 };
#define ANY(table, d) (table)[dice_roll(d, sizeof(table) / sizeof *(table))]

/* Words with a dot or an underscore, from all embedded files. */
static void fill(struct splice_pool *names)
{
    static struct splice_pool lines; /* kept, since its names point into it */
    splice_built_in(&lines, SPLICE_SPECS);
    for (size_t i = 0; i < lines.count; i++)
        for (numel_str line = lines.items[i], word = text_word(&line); word.n; word = text_word(&line))
            if (word.n < 120 && (memchr(word.p, '.', word.n) || memchr(word.p, '_', word.n)))
                splice_keep(names, word);
}

/* A name from the pool, with a number for each "{...}"; kohya's underscores replace dots. */
static void put_name(struct buffer *b, numel_str name, struct dice *d)
{
    const char *front = ANY(fronts, d);
    bool flat = strncmp(front, "lora_", 5) == 0;
    buffer_text(b, front);
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '{') {
            buffer_format(b, "%zu", dice_roll(d, 4));
            i = text_find(name, i, '}');
        } else if (name.p[i] > ' ') {
            buffer_char(b, flat && name.p[i] == '.' ? '_' : name.p[i]);
        }
    }
}

static void put_line(struct buffer *b, const struct splice_pool *names, struct dice *d)
{
    put_name(b, names->items[dice_roll(d, names->count)], d);
    buffer_text(b, ANY(ends, d));
    for (size_t n = dice_roll(d, 5); n > 0; n--) buffer_format(b, " %llu", (unsigned long long)ANY(sizes, d));
    buffer_char(b, '\n');
}

/* A part with a line added or replaced. */
static void put_part(struct buffer *b, numel_str part, const struct splice_pool *names, struct dice *d)
{
    size_t at = dice_roll(d, part.n + 1);
    while (at > 0 && part.p[at - 1] != '\n') at--;
    numel_str rest = text_from(part, at);
    buffer_str(b, text_upto(part, at));
    put_line(b, names, d);
    if (dice_roll(d, 2)) (void)text_line(&rest);
    buffer_str(b, rest);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct splice_pool names;
    struct buffer part, all;
    struct dice d;
    dice_init(&d, seed);
    if (!names.count) fill(&names);
    if (dice_roll(&d, 4) == 0) return mutate_lines(data, size, most, &d);
    if (dice_roll(&d, 4) == 0) return LLVMFuzzerMutate(data, size, most);
    struct pair p = cut(data, size);
    size_t which = p.way == BASE || p.way == DIFF || p.way == NEAREST ? dice_roll(&d, 2) : 0;
    buffer_init(&part, &memory_malloc);
    buffer_init(&all, &memory_malloc);
    put_part(&part, p.part[which], &names, &d);
    p.part[which] = buffer_view(&part);
    buffer_format(&all, "%d %zu\n", (int)p.way, p.part[0].n);
    buffer_str(&all, p.part[0]);
    buffer_str(&all, p.part[1]);
    size_t n = !all.failed && all.n <= most ? all.n : 0;
    if (n) memcpy(data, all.p, n);
    buffer_done(&part);
    buffer_done(&all);
    return n ? n : mutate_lines(data, size, most, &d);
}
