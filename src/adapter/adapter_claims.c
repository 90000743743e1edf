/*
 * adapter_claims.c -- compares what programs claim about the method and base of an adapter with its tensors.
 *
 * Trainers have their own words for a base ("sd_v1", "stable-diffusion-xl-v1-base/lora",
 * "networks.lora_flux"). If a product (src/data/products) has the word as a name, one of the product's bases
 * must be a family that the adapter fits. An unknown word is ignored where people write free text.
 * modelspec.architecture has a fixed vocabulary, so an unknown word there leaves the adapter in part. What
 * kohya's arguments and PEFT's configuration ask for must be present: an algorithm, magnitudes, biases,
 * tokens, a head. adapter_said.c covers what they state for each module, adapter.c covers ranks.
 */
#include "adapter/adapter_internal.h"

#include "base/text.h"
#include "formula/product.h"
#include "statement/line.h"

#include <string.h>

#define ROWS(t) (sizeof(t) / sizeof *(t))

/* ---- words for bases ----------------------------------------------------------------------- */

/* Does one of these families fit? If a family had been chosen before, the fitting one replaces it. */
static bool has_family(struct adapter *a, numel_str bases)
{
    if (a->family && product_has(bases, text_of(a->family))) return true;
    for (unsigned i = 0; i < a->fit_count; i++) {
        if (!product_has(bases, text_of(a->fits[i]))) continue;
        if (a->family) a->family = a->fits[i];
        return true;
    }
    for (const struct adapter_family *f = a->whole_kind ? NULL : families_of(a); f; f = f->next) {
        if (!product_has(bases, text_of(f->name)) || !family_fits(a, f)) continue;
        if (a->family) a->family = f->name;
        return true;
    }
    return false;
}

/* The bases of all products that match, in one list; p NULL if memory runs out. */
static numel_str bases_of(struct adapter *a, struct product_said *said)
{
    numel_str all = text_of(""), lines, globs;
    while (all.p && product_said_next(said, &lines))
        while (all.p && product_next(&lines, "base", &globs))
            all = arena_join(a->arena, all, text_of(" "), globs);
    return all;
}

/* Returns false if the word names no known product of this kind. */
static bool compare_word(struct adapter *a, const char *key, numel_str said, numel_str word, const char *kind)
{
    struct product_said products;
    if (!word.n || !a->fit_count) return true;
    if (!product_said(&products, a->arena, kind, word)) return a->arena->failed;
    numel_str bases = bases_of(a, &products);
    const char *name = !bases.p || has_family(a, bases) ? NULL : name_shown(a->arena, said);
    if (!name) return true;
    adapter_disagree(a, arena_format(a->arena, "%s is %s, the weights that it changes are those of %s", key,
                                     name, a->family ? a->family : a->fits[0]));
    return true;
}

/* ---- kohya's programs ---------------------------------------------------------------------- */

static bool has_type(const struct adapter *a, const char *type)
{
    for (size_t i = 0; i < a->module_count; i++)
        for (unsigned k = 0; k < a->modules[i].part_count; k++)
            if (part_is_of(a->modules[i].parts[k], type)) return true;
    return false;
}

static bool has_part(const struct adapter *a, bool (*is)(unsigned part))
{
    for (size_t i = 0; i < a->module_count; i++)
        for (unsigned k = 0; k < a->modules[i].part_count; k++)
            if (is(a->modules[i].parts[k])) return true;
    return false;
}

/* The method of an algorithm's tensors; NULL if the algorithm is unknown. */
static const char *method_of(numel_str algorithm)
{
    static const struct {
        const char *algorithm, *method;
    } algorithms[] = { { "lora", "lora" },  { "lora_*", "lora" }, { "locon", "lora" }, { "dylora", "lora" },
                       { "loha", "loha" },  { "lokr", "lokr" },   { "oft*", "oft" },   { "diag-oft", "oft" },
                       { "boft", "oft" },   { "glora", "glora" }, { "full", "full" },  { "ia3", "ia3" },
                       { "tlora", "tlora" } };
    for (size_t i = 0; i < ROWS(algorithms); i++)
        if (text_glob(algorithms[i].algorithm, algorithm)) return algorithms[i].method;
    return NULL;
}

static void compare_algorithm(struct adapter *a, const char *key, numel_str said)
{
    const char *method = method_of(said), *name;
    if (!method || a->module_count == 0 || has_type(a, method) || !(name = name_shown(a->arena, said)))
        return;
    adapter_disagree(a, arena_format(a->arena, "%s is %s, no tensor is of %s", key, name, method));
}

static bool is_said(const json_value *v)
{
    const char *text = json_text_of(v);
    return json_true(v) || (text && (strcmp(text, "True") == 0 || strcmp(text, "true") == 0));
}

/* Reports convolutions with kernels of several pixels whose rank differs from conv_dim. `own`: one of kohya's
 * own networks, which must change such convolutions if the base has them. */
static void compare_kernels(struct adapter *a, const json_value *v, bool own)
{
    int64_t told = 0;
    const char *text = json_text_of(v);
    uint64_t kernels = 0, others = 0;
    if (text && text_is_number(text_of(text)) && strlen(text) < 9)
        for (; *text; text++) told = told * 10 + (*text - '0');
    else if (!json_integer(v, &told)) return;
    for (size_t i = 0; told > 0 && i < a->module_count; i++) {
        const struct adapter_module *m = &a->modules[i];
        for (unsigned k = 0; k < m->part_count; k++) {
            const numel_tensor *t = &a->ck->registry.tensors[m->tensors[k]];
            if (!part_is_matrix(m->parts[k]) || t->ndim != 4 || t->dims[2] * t->dims[3] <= 1) continue;
            kernels++;
            others += t->dims[0] != (uint64_t)told;
        }
    }
    bool none = own && kernels == 0 && family_has_kernels(a);
    if (told > 0 && (others || none))
        adapter_disagree(a, arena_format(a->arena,
                                         "ss_network_args says conv_dim %" PRId64 ", which %" PRIu64
                                         " of %" PRIu64 " convolutions have",
                                         told, kernels - others, kernels));
}

static void compare_arguments(struct adapter *a, numel_str text, bool own)
{
    numel_error ignored = { 0 };
    json_value *args = text.n ? json_doc_parse(text.p, text.n, &ignored) : NULL;
    a->arena->failed |= ignored.code == NUMEL_E_NOMEM;
    const char *algorithm = json_text_of(json_get(args, "algo"));
    bool several = json_get(args, "preset") != NULL; /* a preset may give modules their own algorithms */
    if (algorithm && !several) compare_algorithm(a, "ss_network_args' algo", text_of(algorithm));
    if (is_said(json_get(args, "dora_wd")) && a->magnitudes == 0)
        adapter_disagree(a, "ss_network_args says dora_wd, the tensors have no magnitudes");
    if (is_said(json_get(args, "train_norm")) && !has_part(a, part_is_norm))
        adapter_disagree(a, "ss_network_args says train_norm, no norm is changed");
    if (!json_get(args, "conv_block_dims") && !json_get(args, "block_dims"))
        compare_kernels(a, json_get(args, "conv_dim"), own);
    json_doc_free(args);
}

/* "flux-1-dev/lora": the base, and the kind of file. */
static void compare_modelspec(struct adapter *a)
{
    numel_str v = meta_of(a, "modelspec.architecture");
    if (v.n == 0) return;
    numel_str base = text_upto(v, text_find(v, 0, '/')), kind = text_from(v, base.n);
    bool known = compare_word(a, "modelspec.architecture", v, base, "aka");
    const char *other = known || a->hole ? NULL : name_shown(a->arena, v);
    if (other)
        a->hole = arena_format(a->arena, "modelspec.architecture is %s, which is not known here", other);
    bool embedding = strcmp(a->type, "embedding") == 0;
    bool lie = (text_equal(kind, "/textual-inversion") && !embedding) ||
               (text_equal(kind, "/lora") && a->whole_kind);
    const char *name = lie ? name_shown(a->arena, v) : NULL;
    if (name)
        adapter_disagree(a, arena_format(a->arena,
                                         "modelspec.architecture is %s, the tensors are those of %s %s", name,
                                         embedding || a->type[0] == 'i' ? "an" : "a", a->type));
}

/* {"base_model_class": "FluxTransformer2DModel", "parent_library": "diffusers..."} */
static void compare_class(struct adapter *a, const json_value *mapping)
{
    const char *name = json_text_of(json_get(mapping, "base_model_class"));
    if (name) (void)compare_word(a, "base_model_class", text_of(name), text_of(name), "class");
}

void claims_of_trainers(struct adapter *a)
{
    numel_str module = meta_of(a, "ss_network_module"), version = meta_of(a, "ss_base_model_version");
    static const char stem[] = "networks.";
    (void)compare_word(a, "ss_base_model_version", version, version, "aka");
    compare_modelspec(a);
    bool own = text_starts(module, stem);
    if (own) {
        numel_str algorithm = text_from(module, strlen(stem));
        const char *under = memchr(algorithm.p, '_', algorithm.n);
        size_t n = under ? (size_t)(under - algorithm.p) : algorithm.n;
        numel_str base = text_from(algorithm, n);
        compare_algorithm(a, "ss_network_module", algorithm);
        (void)compare_word(a, "ss_network_module", module, base, "aka");
    }
    compare_arguments(a, meta_of(a, "ss_network_args"), own);
    for (unsigned i = 0; i == 0 || said_component_name(i); i++) {
        const char *path = json_text_of(said_value(a, i, "base_model_name_or_path"));
        if (path) (void)compare_word(a, "base_model_name_or_path", text_of(path), text_of(path), "repo");
        compare_class(a, said_value(a, i, "auto_mapping"));
    }
}

/* ---- PEFT's configuration ------------------------------------------------------------------ */

/* One configuration: the adapter's own, or that of one of diffusers' components. */
struct claiming {
    struct adapter *a;
    unsigned component;
    uint64_t modules; /* of the component */
    bool lora;        /* its method is LoRA */
};

static const char *where(const struct claiming *c)
{
    return c->component ? "lora_adapter_metadata" : "adapter_config.json";
}

static const json_value *told(const struct claiming *c, const char *key)
{
    return said_value(c->a, c->component, key);
}

/* Number of the component's modules with such a part. *without is the first module that has a rank but no
 * such part; NULL if none. */
static uint64_t count_parts(const struct claiming *c, bool (*is)(unsigned part),
                            const struct adapter_module **without)
{
    uint64_t n = 0;
    *without = NULL;
    for (size_t i = c->a->module_count; i-- > 0;) {
        const struct adapter_module *m = &c->a->modules[i];
        bool has = false;
        if (said_component(c->a, m->name) != c->component) continue;
        for (unsigned k = 0; k < m->part_count; k++) has |= is(m->parts[k]);
        n += has;
        if (!has && m->rank) *without = m;
    }
    return n;
}

/* Values that must be numbers or booleans. */
static void compare_kinds(const struct claiming *c)
{
    const struct {
        const char *key;
        enum json_kind kind;
    } kinds[] = { { "r", JSON_NUMBER },           { said_alpha_key(c->a, c->component), JSON_NUMBER },
                  { "use_dora", JSON_BOOL },      { "use_rslora", JSON_BOOL },
                  { "lora_bias", JSON_BOOL },     { "fan_in_fan_out", JSON_BOOL },
                  { "inference_mode", JSON_BOOL } };
    for (size_t i = 0; i < ROWS(kinds); i++) {
        enum json_kind own = json_kind(told(c, kinds[i].key));
        if (own == JSON_NULL || own == kinds[i].kind) continue;
        adapter_disagree(c->a, arena_format(c->a->arena, "%s: %s is no %s", where(c), kinds[i].key,
                                            kinds[i].kind == JSON_NUMBER ? "number" : "true or false"));
    }
    const json_value *alpha = told(c, kinds[1].key);
    if (json_kind(alpha) == JSON_NUMBER && json_double(alpha) < 0)
        adapter_disagree(c->a,
                         arena_format(c->a->arena, "%s: %s is less than nothing", where(c), kinds[1].key));
}

/* Some tensor must belong to the method that the configuration states. */
static void compare_method(struct claiming *c)
{
    static const char *const same[][2] = { { "dora", "lora" }, { "xlora", "lora" }, { "bone", "miss" } };
    const char *type = c->component ? json_text_of(told(c, "peft_type")) : c->a->type;
    const char *own = type ? adapter_lower(c->a, type) : NULL;
    for (size_t i = 0; own && i < ROWS(same); i++)
        if (strcmp(own, same[i][0]) == 0) own = same[i][1];
    if (!own) return;
    c->lora = strcmp(own, "lora") == 0;
    if (c->modules == 0 || has_type(c->a, own) || strcmp(own, "control-lora") == 0) return;
    const char *name = name_shown(c->a->arena, text_of(own));
    if (name)
        adapter_disagree(c->a, arena_format(c->a->arena, "%s says %s, no tensor is of it", where(c), name));
}

/* Does the base have biases or, if `changed`, do its changed modules? True if unknown. */
static bool has_biases(struct adapter *a, bool changed)
{
    if (a->held) return changed ? a->changes_biased : a->base_biases > 0;
    return !a->family || a->family_solved || family_biased(a, changed);
}

/* With a head of its own the trained model is not exactly the base. */
static bool has_head(const struct claiming *c)
{
    const char *task = json_text_of(told(c, "task_type"));
    return task && !text_lists(text_of("CAUSAL_LM SEQ_2_SEQ_LM"), text_of(task));
}

/* With bias "all" or "..._only", biases of the base are trained and saved. */
static void compare_biases(const struct claiming *c)
{
    struct adapter *a = c->a;
    const char *bias = json_text_of(told(c, "bias"));
    bool none = !bias || strcmp(bias, "none") == 0, some = false;
    uint64_t biases = 0;
    for (uint32_t i = 0; i < a->ck->registry.count; i++) {
        numel_str name = a->ck->registry.tensors[i].name;
        bool beside = text_ends(name, ".base_layer.bias");
        bool own = text_holds(name, text_of(".lora_B.")) || text_holds(name, text_of("modules_to_save"));
        if (said_component(a, name) == c->component) some |= none ? beside : text_ends(name, ".bias") && !own;
        biases += text_ends(name, ".bias") && !text_holds(name, text_of(".lora_B."));
    }
    bool known = none || strcmp(bias, "all") == 0 || text_ends(text_of(bias), "_only");
    const char *name = known ? "" : name_shown(a->arena, text_of(bias));
    if (!known && name)
        adapter_disagree(a,
                         arena_format(a->arena, "%s: bias is %s, which PEFT does not know", where(c), name));
    if (none && some)
        adapter_disagree(
            a, arena_format(a->arena, "%s says no bias is trained, the tensors have some", where(c)));
    if (!none && strcmp(bias, "all") == 0 && a->held && biases < a->base_biases && !has_head(c))
        adapter_disagree(a, arena_format(a->arena,
                                         "%s: bias is all, %" PRIu64 " of the base model's %" PRIu64
                                         " biases are there",
                                         where(c), biases, a->base_biases));
    if (!none && known && !some && !a->hole && c->modules && has_biases(a, strcmp(bias, "all") != 0))
        a->hole = "its configuration says that biases are trained, and it has none";
}

/* Checks that what the configuration asks for is present. */
static void compare_presence(const struct claiming *c)
{
    struct adapter *a = c->a;
    const struct adapter_module *without;
    uint64_t biased = count_parts(c, part_is_lora_bias, &without);
    bool wanted = json_true(told(c, "lora_bias"));
    if (c->lora && (wanted ? without != NULL : biased > 0))
        adapter_disagree(a, arena_format(a->arena,
                                         "%s says lora_bias %s, %" PRIu64 " of %" PRIu64 " modules have one",
                                         where(c), wanted ? "true" : "false", biased, c->modules));
    uint64_t tokens = count_parts(c, part_is_tokens, &without);
    if (c->lora && json_first(told(c, "trainable_token_indices")) && tokens == 0)
        adapter_disagree(
            a, arena_format(a->arena, "%s: trainable_token_indices lists tokens, none is there", where(c)));
    if (json_first(told(c, "layer_replication")) && !a->hole)
        a->hole = "its base's layers stand in it several times, by layer_replication";
    const char *targets = json_text_of(told(c, "target_modules"));
    if (targets && strcmp(targets, "all-linear") == 0 && !a->hole)
        a->hole = "target_modules is \"all-linear\", which PEFT saves as a list";
}

/* For these tasks PEFT saves the head, "classifier" or "score", unless modules_to_save names another. */
static void compare_head(const struct claiming *c)
{
    const struct registry *r = &c->a->ck->registry;
    const char *task = json_text_of(told(c, "task_type"));
    bool found = !task || (strcmp(task, "SEQ_CLS") != 0 && strcmp(task, "TOKEN_CLS") != 0) || c->modules == 0;
    for (const json_value *v = json_first(told(c, "modules_to_save")); v; v = json_next(v))
        found |= !json_text_of(v) || !text_lists(text_of("classifier score"), text_of(json_text_of(v)));
    for (uint32_t i = 0; !found && i < r->count; i++)
        found = text_holds(r->tensors[i].name, text_of("classifier")) ||
                text_holds(r->tensors[i].name, text_of("score"));
    if (!found)
        adapter_disagree(c->a,
                         arena_format(c->a->arena, "%s: task_type is %s, no head is there", where(c), task));
}

/* DoRA gives all changed weights a magnitude, or none. */
static void compare_magnitudes(const struct claiming *c)
{
    const struct adapter_module *without;
    const json_value *said = told(c, "use_dora");
    uint64_t n = count_parts(c, part_is_magnitude, &without);
    if (json_kind(said) == JSON_BOOL && json_true(said) != (n > 0))
        adapter_disagree(c->a,
                         arena_format(c->a->arena, "%s says use_dora %s, the tensors have %s magnitudes",
                                      where(c), json_true(said) ? "true" : "false", n ? "some" : "no"));
}

/* Some models store weights transposed. PEFT detects this and records it as fan_in_fan_out. */
static void compare_turn(const struct claiming *c)
{
    struct adapter *a = c->a;
    const json_value *v = told(c, "fan_in_fan_out");
    if (json_kind(v) != JSON_BOOL || !a->family || !json_true(v)) return;
    numel_str lines = product_of_base(a->family), words;
    if (!product_next(&lines, "turned", &words))
        adapter_disagree(a, arena_format(a->arena,
                                         "%s says fan_in_fan_out true, the weights of %s are not turned",
                                         where(c), a->family));
}

/* "layers" of "model.layers.7.": PEFT looks for layer numbers after this word. */
static void compare_layers_pattern(const struct claiming *c)
{
    const json_value *v = told(c, "layers_pattern");
    const json_value *first = json_text_of(v) ? v : json_first(v);
    bool found = !first;
    for (const json_value *p = first; p && !found; p = p == v ? NULL : json_next(p)) {
        const char *name = json_text_of(p);
        found = !name || said_expression(name) || !name[0];
        for (size_t i = 0; !found && i < c->a->module_count; i++) {
            numel_str module = c->a->modules[i].name;
            found = said_component(c->a, module) == c->component && text_holds(module, text_of(name));
        }
    }
    if (!found && c->modules)
        adapter_disagree(c->a,
                         arena_format(c->a->arena, "%s: layers_pattern names what no module has", where(c)));
}

/* The alphas among the tensors must equal the configuration's. */
static void compare_scale(const struct claiming *c)
{
    struct adapter *a = c->a;
    const char *key = said_alpha_key(a, c->component);
    const json_value *v = told(c, key);
    bool one = a->factors && a->alpha && !a->alpha_several && json_kind(v) == JSON_NUMBER;
    const char *own = one && !json_first(told(c, "alpha_pattern")) ? meta_number(a, json_double(v)) : NULL;
    if (own && strcmp(own, a->alpha) != 0)
        adapter_disagree(
            a, arena_format(a->arena, "%s says %s %s, the tensors have %s", where(c), key, own, a->alpha));
}

static void compare_component(struct adapter *a, unsigned component)
{
    struct claiming c = { .a = a, .component = component };
    for (size_t i = 0; i < a->module_count; i++)
        c.modules += said_component(a, a->modules[i].name) == component;
    compare_method(&c);
    compare_kinds(&c);
    compare_biases(&c);
    compare_presence(&c);
    compare_head(&c);
    compare_magnitudes(&c);
    compare_turn(&c);
    compare_layers_pattern(&c);
    compare_scale(&c);
}

/* Each diffusers component that the configuration mentions must have a module. */
static void compare_components(struct adapter *a)
{
    const char *alone = NULL;
    for (const json_value *v = json_first(a->told); v && !alone; v = json_next(v)) {
        const char *key = json_name(v), *dot = key ? strchr(key, '.') : NULL;
        bool found = !dot;
        numel_str start = dot ? text_span(key, dot + 1) : text_of("");
        for (size_t i = 0; !found && i < a->module_count; i++)
            found = a->modules[i].name.n > start.n && memcmp(a->modules[i].name.p, start.p, start.n) == 0;
        if (!found) alone = name_shown(a->arena, text_less(start, 1));
    }
    if (alone)
        adapter_disagree(
            a, arena_format(a->arena, "lora_adapter_metadata speaks of %s, no tensor is of it", alone));
}

void claims_of_configuration(struct adapter *a)
{
    if (a->config || a->ck->files[0].format == NUMEL_GGUF) compare_component(a, 0);
    for (unsigned i = 1; a->told && said_component_name(i); i++)
        if (said_value(a, i, "peft_type") || said_value(a, i, "r")) compare_component(a, i);
    compare_components(a);
}
