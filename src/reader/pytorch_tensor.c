/*
 * pytorch_tensor.c -- tensors and storages, from the calls that would make them:
 *
 *     _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)
 *     storage = persistent id ('storage', torch.FloatStorage, '0', 'cpu', 4096)
 *
 * Offset, size and stride count elements. A tensor whose strides are not those of rows has its elements in
 * another order than its shape says: it has no range of its own in the file. Nor has one that a seventh argument,
 * {'conj': True} or {'neg': True}, makes another number than is stored.
 */
#include "reader/pytorch_internal.h"

#include "base/num.h"
#include "base/text.h"

/* ---- names -------------------------------------------------------------------------------- */

static const struct {
    const char *module, *name;
    enum torch_form form;
} forms[] = {
    { "torch._utils", "_rebuild_tensor", TORCH_TENSOR },
    { "torch._utils", "_rebuild_tensor_v2", TORCH_TENSOR },
    { "torch._utils", "_rebuild_tensor_v3", TORCH_TENSOR },
    { "torch._utils", "_rebuild_qtensor", TORCH_TENSOR },
    { "torch._utils", "_rebuild_parameter", TORCH_WRAPPED },
    { "torch._utils", "_rebuild_parameter_with_state", TORCH_WRAPPED },
    { "torch._tensor", "_rebuild_from_type_v2", TORCH_TYPED },
    { "torch._utils", "_rebuild_sparse_tensor", TORCH_SPARSE },
    { "torch._utils", "_rebuild_meta_tensor_no_storage", TORCH_BARE },
    { "torch._utils", "_rebuild_wrapper_subclass", TORCH_BARE },
};

/* torch's names of storages and types, and ours. */
static const char *const types[][3] = {
    { "FloatStorage", "float32", "F32" },
    { "HalfStorage", "float16", "F16" },
    { "BFloat16Storage", "bfloat16", "BF16" },
    { "DoubleStorage", "float64", "F64" },
    { "LongStorage", "int64", "I64" },
    { "IntStorage", "int32", "I32" },
    { "ShortStorage", "int16", "I16" },
    { "CharStorage", "int8", "I8" },
    { "ByteStorage", "uint8", "U8" },
    { "UntypedStorage", "uint8", "U8" },
    { "BoolStorage", "bool", "BOOL" },
    { "ComplexFloatStorage", "complex64", "C64" },
    { "ComplexDoubleStorage", "complex128", "C128" },
    { "", "complex32", "C32" },
    { "", "uint16", "U16" },
    { "", "uint32", "U32" },
    { "", "uint64", "U64" },
    { "QInt8Storage", "qint8", "I8" },
    { "QUInt8Storage", "quint8", "U8" },
    { "QInt32Storage", "qint32", "I32" },
    { "Float8_e4m3fnStorage", "float8_e4m3fn", "F8_E4M3" },
    { "Float8_e5m2Storage", "float8_e5m2", "F8_E5M2" },
    { "", "float8_e4m3fnuz", "F8_E4M3FNUZ" },
    { "", "float8_e5m2fnuz", "F8_E5M2FNUZ" },
    { "", "float8_e8m0fnu", "F8_E8M0" },
};

const struct pickle_global *torch_callee(const struct pickle_value *callee)
{
    if (callee->kind == PICKLE_GLOBAL) return callee->global;
    if (callee->kind != PICKLE_PERSISTENT || callee->tuple->n < 2) return NULL;
    const struct pickle_value *x = callee->tuple->items; /* ('module', class, file, source) of old files */
    bool module = x->kind == PICKLE_TEXT && text_equal(pickle_text(x), "module");
    return module && x[1].kind == PICKLE_GLOBAL ? x[1].global : NULL;
}

enum torch_form torch_form(const struct pickle_object *x)
{
    const struct pickle_global *g = torch_callee(&x->callee);
    for (size_t i = 0; g && i < sizeof forms / sizeof *forms; i++)
        if (text_equal(g->name, forms[i].name) && text_equal(g->module, forms[i].module))
            return forms[i].form;
    return TORCH_NOTHING;
}

/* NULL: unknown. */
static const numel_dtype *type_of(const struct pickle_value *v)
{
    if (v->kind != PICKLE_GLOBAL || !text_starts(v->global->module, "torch")) return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_equal(v->global->name, types[i][0]) || text_equal(v->global->name, types[i][1]))
            return dtype_pytorch(text_of(types[i][2]));
    return NULL;
}

/* ---- storages ----------------------------------------------------------------------------- */

NUMEL_MUST static bool malformed(struct torch *t, const char *why)
{
    char name[TEXT_QUOTE];
    return error_set(t->r->error, NUMEL_E_SYNTAX, t->at, "tensor %s: %s",
                     text_quote(name, (numel_str){ t->path, t->length }), why);
}

NUMEL_MUST static bool unknown_type(struct torch *t, const struct pickle_value *type)
{
    char why[TEXT_QUOTE + 32], name[TEXT_QUOTE];
    text_format(why, sizeof why, "it has the unknown type %s",
                text_quote(name, type->kind == PICKLE_GLOBAL ? type->global->name : text_of("")));
    return malformed(t, why);
}

static bool natural(const struct pickle_value *v, uint64_t *out)
{
    *out = v->kind == PICKLE_INT && v->number >= 0 ? (uint64_t)v->number : 0;
    return v->kind == PICKLE_INT && v->number >= 0;
}

static bool is_text(const struct pickle_value *v)
{
    return v->kind == PICKLE_TEXT || v->kind == PICKLE_BYTES;
}

NUMEL_MUST static bool enter(struct torch *t, numel_str key, const struct torch_storage *new, uint32_t *out)
{
    struct torch_room *r = t->room;
    size_t before = r->count;
    uint32_t i = names_add(&r->keys, &r->storages, &r->count, &r->cap, key, NULL, t->r->error);
    *out = i;
    if (i == NAMES_ABSENT) return false;
    struct torch_storage *s = &r->storages[i];
    if (r->count == before)
        return (s->dtype == new->dtype && s->count == new->count) ||
               malformed(t, "its storage was named before with another type or size");
    *s = *new;
    s->key = key;
    return true;
}

/* ('storage', type, key, place, count[, (view's key, offset, size)]) */
bool torch_storage_of(struct torch *t, const struct pickle_value *id, uint32_t *out, uint64_t *view)
{
    struct torch_storage s = { .at = NUMEL_NOWHERE };
    const struct pickle_value *x = id->kind == PICKLE_PERSISTENT ? id->tuple->items : NULL;
    uint32_t n = x ? id->tuple->n : 0;
    *out = NAMES_ABSENT;
    *view = 0;
    if (n < 5 || !is_text(&x[0]) || !text_equal(pickle_text(&x[0]), "storage"))
        return malformed(t, "it has no storage");
    s.dtype = type_of(&x[1]);
    if (!s.dtype) return unknown_type(t, &x[1]);
    if (!is_text(&x[2]) || !natural(&x[4], &s.count) || !num_mul(&s.bytes, s.count, s.dtype->block_bytes))
        return malformed(t, "its storage has no key, or an impossible size");
    if (n > 5 && x[5].kind == PICKLE_TUPLE && (x[5].tuple->n < 3 || !natural(&x[5].tuple->items[1], view)))
        return malformed(t, "its view of a storage is impossible");
    return enter(t, pickle_text(&x[2]), &s, out);
}

/* ---- tensors ------------------------------------------------------------------------------ */

/* A tuple, or a torch.Size of one. */
static const struct pickle_tuple *sizes_of(const struct pickle_value *v)
{
    bool size =
        v->kind == PICKLE_OBJECT && v->object->args.kind == PICKLE_TUPLE && v->object->args.tuple->n == 1;
    if (size) v = &v->object->args.tuple->items[0];
    return v->kind == PICKLE_TUPLE ? v->tuple : NULL;
}

struct shape {
    const struct pickle_tuple *size, *stride;
    uint64_t offset, span; /* elements: of the storage before it; from its first to its last */
    bool strided, lazy;
};

/* The number of elements, and of those between the first and the last one. Rows: each stride is the product
 * of the dimensions after it. */
static bool measure(numel_tensor *t, struct shape *s, uint64_t *dims)
{
    uint64_t step, far, rows = 1;
    bool fits = true, empty = false;
    s->span = t->elements = 1;
    for (uint32_t i = t->ndim; fits && i-- > 0;) {
        fits = natural(&s->size->items[i], &dims[i]) && natural(&s->stride->items[i], &step) &&
               num_mul(&t->elements, t->elements, dims[i]);
        if (!fits) return false;
        empty |= dims[i] == 0;
        s->strided |= dims[i] > 1 && step != rows;
        fits = empty || (num_mul(&rows, rows, dims[i]) && num_mul(&far, dims[i] - 1, step) &&
                         num_add(&s->span, s->span, far));
    }
    if (empty) s->span = 0;
    s->strided &= !empty;
    return fits;
}

/* Is it conjugated or negated when it is loaded? */
static bool is_lazy(const struct pickle_tuple *args)
{
    bool given = args->n > 6 && args->items[6].kind == PICKLE_DICT;
    for (const struct pickle_item *x = given ? args->items[6].items->first : NULL; x; x = x->next)
        if (x->value.kind == PICKLE_BOOL && x->value.number &&
            text_lists(text_of("conj neg"), pickle_text(&x->key)))
            return true;
    return false;
}

/* Keeps the name, within the letters that are left. */
NUMEL_MUST static bool name_it(struct torch *t, numel_tensor *x)
{
    numel_str path = t->length ? (numel_str){ t->path, t->length } : text_of("tensor");
    if (path.n > t->letters)
        return error_set(t->r->error, NUMEL_E_LIMIT, t->at,
                         "the names of the tensors take more bytes than the pickle has");
    t->letters -= path.n;
    x->name = (numel_str){ arena_pack(t->r->arena, path.p, path.n), path.n };
    return x->name.p || error_nomem(t->r->error);
}

NUMEL_MUST static bool keep(struct torch *t, numel_tensor *x, const struct shape *s, uint32_t storage)
{
    struct torch_room *room = t->room;
    size_t i = t->r->registry->count - (size_t)t->r->file->first_tensor;
    uint64_t width = x->dtype->block_bytes;
    struct reading_entry entry = { .at = t->at, .odd = s->strided || s->lazy };
    if (!num_mul(&entry.begin, s->offset, width) || !num_mul(&entry.end, s->span, width) ||
        !num_add(&entry.end, entry.begin, entry.end) || entry.end > room->storages[storage].bytes)
        return malformed(t, "it reaches past the end of its storage");
    if (!name_it(t, x) || !memory_grow(t->r->registry->memory, &room->storage_of, &room->of_cap, i + 1,
                                       sizeof storage, t->r->error))
        return false;
    room->storage_of[i] = storage;
    room->storages[storage].users++;
    t->strided += s->strided;
    t->lazy += s->lazy;
    return reading_add(t->r, x, &entry);
}

bool torch_add(struct torch *t, const struct pickle_object *x)
{
    bool tuple = x->args.kind == PICKLE_TUPLE && x->args.tuple->n >= 4;
    const struct pickle_value *a = tuple ? x->args.tuple->items : NULL;
    numel_tensor new = { .file = t->r->number };
    struct shape s = { .size = a ? sizes_of(&a[2]) : NULL, .stride = a ? sizes_of(&a[3]) : NULL };
    uint32_t storage;
    uint64_t view;
    t->hidden_tensors += t->hidden;
    if (!a) return malformed(t, "it is made without its arguments");
    if (!torch_storage_of(t, &a[0], &storage, &view)) return false;
    if (t->hidden) return true;
    const struct pickle_global *g = torch_callee(&x->callee);
    bool typed = x->args.tuple->n > 6 && g && text_equal(g->name, "_rebuild_tensor_v3");
    new.dtype = typed ? type_of(&a[6]) : t->room->storages[storage].dtype;
    if (!new.dtype) return unknown_type(t, &a[6]);
    if (!s.size || !s.stride || s.size->n != s.stride->n || !natural(&a[1], &s.offset) ||
        !num_add(&s.offset, s.offset, view))
        return malformed(t, "its offset, size or stride is missing");
    new.ndim = s.size->n;
    s.lazy = is_lazy(x->args.tuple);
    uint64_t *dims = arena_alloc(t->r->arena, (new.ndim + (size_t)1) * sizeof *dims);
    if (!dims) return error_nomem(t->r->error);
    new.dims = new.ndim ? dims : NULL;
    if (!measure(&new, &s, dims) || !num_mul(&new.bytes, new.elements, new.dtype->block_bytes))
        return malformed(t, "its size or stride is impossible");
    return keep(t, &new, &s, storage);
}
