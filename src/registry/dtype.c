/*
 * dtype.c -- the table of element types.
 *
 * Sources: for safetensors, enum Dtype in tensor.rs (22 types, sizes in bits); for GGUF, type_traits in
 * ggml.c and the block structs in ggml-common.h; for ids 97 and above, the headers of the fork ik_llama.cpp.
 * The unit test pins the block bytes of GGUF types a second time, as sums of struct fields.
 *
 * To add a type, add a row here and one in test_dtype.c, which fails until then. Lookups are linear over some
 * 110 rows; readers remember the previous tensor's type.
 */
#include "registry/dtype.h"

#include "base/text.h"

#include <stdio.h>

enum { ST = NUMEL_SAFETENSORS, GG = NUMEL_GGUF, PT = NUMEL_PYTORCH, ALL = ST | GG | PT };

/* In this order: a plain or sub-byte type of safetensors and PyTorch, a type of all formats, a GGUF block
 * type, one that only PyTorch has, a removed one (with its last known size, or 0/0), a fork's. */
#define S(name, elements, bytes)                                                \
    {                                                                           \
        sizeof(numel_dtype), name, elements, bytes, 0, -1, ST | PT, NUMEL_KNOWN \
    }
#define B(name, bytes, id)                                           \
    {                                                                \
        sizeof(numel_dtype), name, 1, bytes, 0, id, ALL, NUMEL_KNOWN \
    }
#define G(id, name, elements, bytes)                                       \
    {                                                                      \
        sizeof(numel_dtype), name, elements, bytes, 0, id, GG, NUMEL_KNOWN \
    }
#define P(name, bytes)                                              \
    {                                                               \
        sizeof(numel_dtype), name, 1, bytes, 0, -1, PT, NUMEL_KNOWN \
    }
#define R(id, name, elements, bytes)                                         \
    {                                                                        \
        sizeof(numel_dtype), name, elements, bytes, 0, id, GG, NUMEL_REMOVED \
    }
#define F(id, name, elements, bytes, row)                                   \
    {                                                                       \
        sizeof(numel_dtype), name, elements, bytes, row, id, GG, NUMEL_FORK \
    }

/* clang-format off */
static const numel_dtype table[] = {
    /* safetensors, in the order of its enum; F4's shape is logical (safetensors.md section 1) */
    S("BOOL", 1, 1), S("F4", 2, 1), S("F6_E2M3", 4, 3), S("F6_E3M2", 4, 3), S("U8", 1, 1),
    B("I8", 1, 24), S("F8_E5M2", 1, 1), S("F8_E4M3", 1, 1), S("F8_E8M0", 1, 1),
    S("F8_E4M3FNUZ", 1, 1), S("F8_E5M2FNUZ", 1, 1), B("I16", 2, 25), S("U16", 1, 2),
    B("F16", 2, 1), B("BF16", 2, 30), B("I32", 4, 26), S("U32", 1, 4), B("F32", 4, 0),
    S("C64", 1, 8), B("F64", 8, 28), B("I64", 8, 27), S("U64", 1, 8),

    /* only in PyTorch files */
    P("C32", 4), P("C128", 16),

    /* GGUF, by id */
    G(2, "Q4_0", 32, 18), G(3, "Q4_1", 32, 20), R(4, "Q4_2", 0, 0), R(5, "Q4_3", 0, 0),
    G(6, "Q5_0", 32, 22), G(7, "Q5_1", 32, 24), G(8, "Q8_0", 32, 34), G(9, "Q8_1", 32, 36),
    G(10, "Q2_K", 256, 84), G(11, "Q3_K", 256, 110), G(12, "Q4_K", 256, 144),
    G(13, "Q5_K", 256, 176), G(14, "Q6_K", 256, 210), G(15, "Q8_K", 256, 292),
    G(16, "IQ2_XXS", 256, 66), G(17, "IQ2_XS", 256, 74), G(18, "IQ3_XXS", 256, 98),
    G(19, "IQ1_S", 256, 50), G(20, "IQ4_NL", 32, 18), G(21, "IQ3_S", 256, 110),
    G(22, "IQ2_S", 256, 82), G(23, "IQ4_XS", 256, 136), G(29, "IQ1_M", 256, 56),
    R(31, "Q4_0_4_4", 32, 18), R(32, "Q4_0_4_8", 32, 18), R(33, "Q4_0_8_8", 32, 18),
    G(34, "TQ1_0", 256, 54), G(35, "TQ2_0", 256, 66),
    /* id 36 is two types: IQ4_NL_4_4 (removed, 32/18) and the forks' I2_S; bytes are inferred */
    R(36, "IQ4_NL_4_4|I2_S", 0, 0), R(37, "IQ4_NL_4_8", 32, 18), R(38, "IQ4_NL_8_8", 32, 18),
    G(39, "MXFP4", 32, 17), G(40, "NVFP4", 64, 36), G(41, "Q1_0", 128, 18), G(42, "Q2_0", 64, 18),

    /* forks: bytes per block, then bytes per row in front of the blocks */
    F(97, "Q8_0_X4", 32, 34, 0), F(98, "Q8_1_X4", 32, 36, 0), F(99, "Q8_2_X4", 32, 36, 0),
    F(133, "Q6_0", 32, 26, 0), F(134, "IQ1_BN", 64, 13, 2), F(135, "IQ2_BN", 64, 16, 4),
    F(136, "Q8_K64", 64, 68, 0), F(137, "IQ2_K", 256, 76, 0), F(138, "IQ3_K", 256, 110, 0),
    F(139, "IQ4_K", 256, 144, 0), F(140, "IQ5_K", 256, 176, 0), F(141, "IQ6_K", 256, 212, 0),
    F(144, "IQ4_KS", 256, 136, 4), F(145, "IQ2_KS", 256, 70, 2), F(146, "IQ4_KSS", 256, 128, 4),
    F(147, "Q8_K16", 64, 64, 20), F(148, "Q8_K32", 256, 296, 0), F(149, "Q8_KR8", 256, 296, 0),
    F(150, "Q8_K128", 128, 140, 0), F(151, "Q8_KV", 32, 32, 8), F(152, "IQ5_KS", 256, 168, 4),
    F(153, "IQ2_KT", 256, 68, 4), F(154, "IQ3_KT", 256, 100, 4), F(155, "IQ4_KT", 256, 128, 4),
    F(156, "IQ3_KS", 256, 102, 2), F(157, "IQ2_KL", 256, 86, 2), F(158, "IQ1_KT", 256, 56, 4),
    F(202, "Q4_0_R8", 32, 18, 0), F(206, "Q5_0_R4", 32, 22, 0), F(208, "Q8_0_R8", 32, 34, 0),
    F(210, "Q2_K_R4", 256, 84, 0), F(211, "Q3_K_R4", 256, 110, 0), F(212, "Q4_K_R4", 256, 144, 0),
    F(213, "Q5_K_R4", 256, 176, 0), F(214, "Q6_K_R4", 256, 210, 0),
    F(216, "IQ2_XXS_R4", 256, 66, 0), F(217, "IQ2_XS_R4", 256, 74, 0),
    F(218, "IQ3_XXS_R4", 256, 98, 0), F(219, "IQ1_S_R4", 32, 6, 2), F(220, "IQ4_NL_R4", 32, 18, 0),
    F(221, "IQ3_S_R4", 256, 110, 0), F(222, "IQ2_S_R4", 256, 82, 0),
    F(223, "IQ4_XS_R8", 256, 136, 0), F(229, "IQ1_M_R4", 32, 7, 2), F(230, "BF16_R16", 1, 2, 0),
    F(233, "Q6_0_R4", 32, 26, 0), F(335, "IQ2_BN_R4", 64, 16, 4), F(337, "IQ2_K_R4", 256, 76, 0),
    F(338, "IQ3_K_R4", 256, 110, 0), F(339, "IQ4_K_R4", 256, 144, 0),
    F(340, "IQ5_K_R4", 256, 176, 0), F(344, "IQ4_KS_R4", 256, 136, 4),
    F(352, "IQ5_KS_R4", 256, 168, 4), F(353, "MXFP4_R8", 32, 17, 0),
    F(397, "Q8_K_R16", 256, 258, 0), F(398, "Q8_KV_R8", 32, 32, 4), F(399, "Q8_K_R8", 256, 258, 0),
};
/* clang-format on */
/* clang-format on */

enum { ROWS = sizeof table / sizeof table[0] };

size_t dtype_count(void) { return ROWS; }
const numel_dtype *dtype_at(size_t i) { return i < ROWS ? &table[i] : NULL; }

enum dtype_kind dtype_kind(const numel_dtype *d)
{
    const char *bits = d->name + (d->name[0] == 'I' || d->name[0] == 'U');
    if (d->standing == NUMEL_UNKNOWN) return DTYPE_UNKNOWN;
    if (bits != d->name && bits[strspn(bits, "0123456789")] == '\0') return DTYPE_INTEGER;
    return strcmp(d->name, "BOOL") == 0 || d->name[0] == 'C' ? DTYPE_OTHER : DTYPE_FLOAT;
}

bool dtype_is_number(const numel_dtype *d)
{
    bool part = d->gguf_id < 0 && (d->block_bytes < d->block_elements || strcmp(d->name, "F8_E8M0") == 0);
    return dtype_kind(d) == DTYPE_FLOAT && !part;
}

const numel_dtype *dtype_safetensors(numel_str name)
{
    for (size_t i = 0; i < ROWS && table[i].in_formats & ST; i++)
        if (text_equal(name, table[i].name)) return &table[i];
    return NULL;
}

const numel_dtype *dtype_pytorch(numel_str name)
{
    for (size_t i = 0; i < ROWS && table[i].in_formats & PT; i++)
        if (text_equal(name, table[i].name)) return &table[i];
    return NULL;
}

const numel_dtype *dtype_torch(numel_str name)
{
    static const char *const names[][2] = { { "bfloat16", "BF16" },       { "float16", "F16" },
                                            { "float32", "F32" },         { "half", "F16" },
                                            { "float", "F32" },           { "float64", "F64" },
                                            { "float8_e5m2", "F8_E5M2" }, { "float8_e4m3fn", "F8_E4M3" } };
    if (text_starts(name, "torch.")) name = text_from(name, 6);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_equal(name, names[i][0])) return dtype_safetensors(text_of(names[i][1]));
    return NULL;
}

const numel_dtype *dtype_gguf(uint32_t id)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].gguf_id >= 0 && (uint32_t)table[i].gguf_id == id) return &table[i];
    return NULL;
}

const char *format_name(numel_format format)
{
    return format == NUMEL_GGUF ? "gguf" : format == NUMEL_PYTORCH ? "pytorch" : "safetensors";
}

const char *format_title(numel_format format)
{
    return format == NUMEL_GGUF ? "GGUF" : format == NUMEL_PYTORCH ? "PyTorch" : "safetensors";
}

const numel_dtype *dtype_unknown(struct arena *a, const char *name, numel_format format, int32_t gguf_id)
{
    numel_dtype *d = arena_alloc(a, sizeof *d);
    char *text = arena_format(a, "%s", name);
    if (!d || !text) return NULL;
    *d = (numel_dtype){ sizeof *d, text, 1, 0, 0, gguf_id, (uint32_t)format, NUMEL_UNKNOWN };
    return d;
}
