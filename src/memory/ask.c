/* ask.c -- reads a plan from numel.h: types, devices, training. */
#include "memory/memory.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

static const struct {
    const char *name, *type;
    uint64_t bytes;
} loads[] = { { "as-is", NULL, 0 }, { "f16", "F16", 2 }, { "bf16", "BF16", 2 }, { "f32", "F32", 4 } };

NUMEL_MUST static bool bad(numel_error *e, const char *what, const char *is)
{
    char shown[TEXT_QUOTE];
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s; not %s", what, text_quote(shown, text_of(is)));
}

/* Reads the types of keys and values: "q8_0", or "q8_0,f16". */
NUMEL_MUST static bool read_kv(struct memory_run *run, const char *text, numel_error *e)
{
    const char *comma = text ? strchr(text, ',') : NULL;
    if (!text) text = "f16";
    numel_str k = text_upto(text_of(text), strcspn(text, ","));
    run->k = kv_type_find(k);
    run->v = comma ? kv_type_find(text_of(comma + 1)) : run->k;
    if (run->k && run->v) return true;
    return bad(
        e,
        "--kv: keys and values are kept in f16, bf16, f32, f64, fp8, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl",
        text);
}

NUMEL_MUST static bool read_load(struct memory_ask *a, const char *text, numel_error *e)
{
    if (!text) return true;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        if (strcmp(text, loads[i].name) != 0) continue;
        a->load = loads[i].type;
        a->load_bytes = loads[i].bytes;
        return true;
    }
    return bad(e, "--load: weights are loaded as-is, or as f16, bf16 or f32", text);
}

/* Reads "24GiB", "24G", "24GB", like sizes in command-line options. */
NUMEL_MUST static bool read_size(numel_str *s, uint64_t *out)
{
    static const char prefixes[] = "KMGT";
    uint64_t times = 1;
    if (!number_digits(s, out) || !*out) return false;
    const char *p = s->n ? strchr(prefixes, s->p[0]) : NULL;
    bool decimal = p && s->n > 1 && s->p[1] == 'B';
    for (const char *q = prefixes; p && q <= p; q++) times *= decimal ? 1000 : 1024;
    if (p) *s = text_from(*s, 1);
    size_t unit = decimal ? 1 : p && text_starts(*s, "iB") ? 2 : !p && text_starts(*s, "B") ? 1 : 0;
    *s = text_from(*s, unit);
    return num_mul(out, *out, times);
}

NUMEL_MUST static bool bad_devices(numel_error *e, const char *is)
{
    return bad(e, "--gpus: devices are a size each, as 24GiB,16GiB, or so many of one size, as 2x24GiB", is);
}

enum { LEAST_DEVICE = 1 << 20 };

/* Plain digits are bytes, but "24" hardly means 24 bytes. `unit` is true if the size has a unit. */
NUMEL_MUST static bool is_device(uint64_t room, bool unit, const char *text, numel_error *e)
{
    char shown[TEXT_QUOTE];
    if (room >= LEAST_DEVICE) return true;
    text_quote(shown, text_of(text));
    if (unit || room > 999)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "--gpus %s: no device has %" PRIu64 " bytes; give each a unit, as 24GiB", shown,
                         room);
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "--gpus %s: no device has %" PRIu64 " bytes; did you mean %" PRIu64 "GiB?", shown, room,
                     room);
}

/* True, with an error, for "24GiBx2" instead of "2x24GiB". */
NUMEL_MUST static bool is_turned(const char *text, numel_error *e)
{
    const char *x = strrchr(text, 'x');
    char shown[TEXT_QUOTE], times[TEXT_QUOTE], size[TEXT_QUOTE];
    numel_str room = text_of(text);
    uint64_t n;
    if (x) room = text_span(text, x);
    if (!x || !number_plain(text_of(x + 1), &n) || !read_size(&room, &n) || room.p != x) return false;
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "--gpus %s: did you mean %sx%s?",
              text_quote(shown, text_of(text)), text_bare(times, text_of(x + 1)),
              text_bare(size, text_span(text, x)));
    return true;
}

/* Reads "2x24GiB", "24GiB,16GiB". */
NUMEL_MUST static bool read_devices(struct memory_ask *a, const char *text, numel_error *e)
{
    numel_str s = text_of(text ? text : "");
    while (s.n) {
        uint64_t times = 1, room;
        size_t i = 0;
        while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9') i++;
        if (i && i < 4 && i < s.n && s.p[i] == 'x') {
            for (times = 0; s.p[0] != 'x'; s = text_from(s, 1)) times = times * 10 + (uint64_t)(s.p[0] - '0');
            s = text_from(s, 1);
        }
        if (!read_size(&s, &room) || !times || times > MEMORY_DEVICES - a->device_count)
            return bad_devices(e, text);
        bool unit = s.p > text && (s.p[-1] < '0' || s.p[-1] > '9');
        if (s.n && s.p[0] != ',') return !is_turned(text, e) && bad_devices(e, text);
        if (!is_device(room, unit, text, e)) return false;
        while (times--) a->devices[a->device_count++] = room;
        if (s.n == 1) return bad_devices(e, text);
        s = text_from(s, 1);
    }
    return true;
}

NUMEL_MUST static bool read_offload(struct memory_ask *a, const char *text, numel_error *e)
{
    struct number n;
    numel_str s = text_of(text ? text : "");
    if (!text) return true;
    if (number_read(&n, &s, 0, 0) != NUMBER_READ || s.n)
        return bad(e, "--offload takes a number of layers", text);
    a->offloads = true;
    a->offload = n.value;
    return true;
}

NUMEL_MUST static bool read_training(struct memory_ask *a, const char *text, numel_error *e)
{
    if (!text) return true;
    a->train = training_find(text_of(text), &a->rank);
    return a->train ||
           bad(e, "--train: training is adamw, adamw-f32, adamw-bf16, adam8bit, sgd or lora:RANK", text);
}

bool memory_ask(struct memory_ask *out, const numel_plan *plan, numel_error *e)
{
    *out = (struct memory_ask){ .fit = plan->fit, .cpu_experts = plan->cpu_experts };
    out->run = (struct memory_run){ .runtime = plan->runtime ? (enum runtime)(plan->runtime - 1) : 0,
                                    .context = plan->context,
                                    .batch = plan->batch ? plan->batch : 1,
                                    .source = plan->source,
                                    .ubatch = plan->ubatch ? plan->ubatch : 512,
                                    .seqs = plan->seqs,
                                    .unified = plan->unified,
                                    .swa_full = plan->swa_full,
                                    .no_flash = plan->no_flash };
    out->runtime_given = plan->runtime != NUMEL_RUNTIME_DEFAULT;
    out->kv_given = plan->kv != NULL;
    return read_kv(&out->run, plan->kv, e) && read_load(out, plan->load, e) &&
           read_devices(out, plan->devices, e) && read_offload(out, plan->offload, e) &&
           read_training(out, plan->train, e);
}
