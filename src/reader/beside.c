/*
 * beside.c -- a table of file names and the contents they promise; see beside.h.
 *
 * Checks in this order: is it a substitute for a file that did not arrive (empty, a pointer, a web page,
 * zeros, a server's answer)? Does it have a magic? Does it have the promised contents? Patterns are shell
 * globs over the lower-case name; the first match counts.
 */
#include "reader/beside.h"

#include "base/text.h"
#include "reader/pickle_imports.h"
#include "reader/recognise.h"
#include "reader/zip.h"
#include "source/folder.h"

#include <ctype.h>
#include <stdio.h>

enum promise {
    NOTHING, /* any content */
    MARKER,  /* a file that may be empty on purpose */
    TEXT,
    PAGE, /* text that may be HTML or XML */
    JSON,
    OBJECT, /* JSON, and an object */
    PIECES, /* a tokenizer.model: SentencePiece, or tiktoken's lines */
    BINARY, /* not text */
    STATES, /* likewise: a trainer's tensors */
    RAW     /* not text; numbers, possibly zeros */
};

static const struct name {
    const char *patterns; /* globs */
    enum promise promise;
    const char *kind, *label;
} names[] = {
    { "config.json", OBJECT, "config", "configuration" },
    { "generation_config.json", OBJECT, "config", "generation settings" },
    { "tokenizer.json", OBJECT, "tokenizer", "tokenizer" },
    { "tokenizer_config.json", OBJECT, "tokenizer", "tokenizer settings" },
    { "special_tokens_map.json", OBJECT, "tokenizer", "special tokens" },
    { "added_tokens.json", OBJECT, "tokenizer", "added tokens" },
    { "vocab*.json", JSON, "tokenizer", "vocabulary" },
    { "tekken.json", OBJECT, "tokenizer", "tokenizer (Tekken)" },
    { "chat_template*.json", OBJECT, "template", "chat template" },
    { "*preprocessor_config.json", OBJECT, "config", "preprocessor settings" },
    { "processor_config.json", OBJECT, "config", "processor settings" },
    { "adapter_config.json", OBJECT, "config", "adapter configuration" },
    { "model_index.json", OBJECT, "config", "pipeline" },
    { "scheduler_config.json", OBJECT, "config", "scheduler settings" },
    { "modules.json", JSON, "config", "sentence-transformers modules" },
    { "sentence_*_config.json", OBJECT, "config", "sentence-transformers settings" },
    { "config_sentence_transformers.json", OBJECT, "config", "sentence-transformers settings" },
    { "params.json", OBJECT, "config", "parameters" },
    { "quant*config.json hf_quant_config.json", OBJECT, "config", "quantization settings" },
    { "trainer_state.json", OBJECT, "training", "trainer state" },
    { "*_results.json", JSON, "training", "results" },
    { "training_args.bin", BINARY, "training", "training arguments" },
    { "optimizer*.bin optimizer*.pt", STATES, "training", "optimizer states" },
    { "*_optim_states.pt", STATES, "training", "DeepSpeed optimizer states" },
    { "*_model_states.pt", STATES, "training", "DeepSpeed weights" },
    { "scheduler*.bin scheduler*.pt", BINARY, "training", "learning rate state" },
    { "scaler*.pt", BINARY, "training", "loss scale state" },
    { "sampler*.bin", BINARY, "training", "position in the data" },
    { "custom_checkpoint_*.pkl", BINARY, "training", "state of a trainer object" },
    { "rng_state*.pth random_states_*.pkl", BINARY, "training", "random number states" },
    { "__[0-9]*_[0-9]*.distcp", STATES, "training", "torch.distributed.checkpoint slices" },
    { "*.json *.webmanifest", JSON, "json", "JSON" },
    { "*.ipynb", OBJECT, "code", "notebook" },
    { "*.jsonl *.ndjson", TEXT, "text", "JSON lines" },
    { "chat_template*.jinja* *.jinja*", TEXT, "template", "chat template" },
    { "merges*.txt *.bpe", TEXT, "tokenizer", "BPE merges" },
    { "vocab*.txt", TEXT, "tokenizer", "vocabulary" },
    { "*.tiktoken", TEXT, "tokenizer", "tiktoken vocabulary" },
    { "tokenizer*.model* s*piece*.model *.spm", PIECES, "tokenizer", "SentencePiece model" },
    { "readme*", PAGE, "text", "model card" },
    { "licen[cs]e* *licen[cs]e copying*", TEXT, "text", "licence" },
    { "notice*", TEXT, "text", "notice" },
    { "use_policy*", TEXT, "text", "use policy" },
    { ".gitattributes", TEXT, "text", "Git attributes" },
    { ".git*", MARKER, "text", "Git settings" },
    { ".*ignore", MARKER, "text", "list of names" },
    { "modelfile*", TEXT, "config", "Ollama Modelfile" },
    { "*dockerfile*", TEXT, "code", "Dockerfile" },
    { "makefile*", TEXT, "code", "Makefile" },
    { "__init__.py", MARKER, "code", "Python code" },
    { "py.typed", MARKER, "text", "marker" },
    { "*.lock", MARKER, "text", "lock file" },
    { "_success", MARKER, "text", "marker" },
    { "*.py", TEXT, "code", "Python code" },
    { "*.sh", TEXT, "code", "shell script" },
    { "*.[jt]s", TEXT, "code", "JavaScript" },
    { "*.c[uc] *.cpp *.cuh", TEXT, "code", "C++ code" },
    { "*.[ch]", TEXT, "code", "C code" },
    { "*.md *.markdown *.mdx", PAGE, "text", "Markdown" },
    { "*.txt *.rst", TEXT, "text", "text" },
    { "*.log", MARKER, "text", "log" },
    { "*.csv", TEXT, "text", "table (CSV)" },
    { "*.tsv", TEXT, "text", "table (TSV)" },
    { "*.y*ml", TEXT, "config", "YAML" },
    { "*.toml", TEXT, "config", "TOML" },
    { "*.ini *.cfg *.conf", TEXT, "config", "settings" },
    { "*.htm*", PAGE, "text", "web page" },
    { "*.xml", PAGE, "config", "XML" },
    { "*.svg", PAGE, "image", "SVG image" },
    { "*.css", TEXT, "text", "style sheet" },
    { "*sha256sum* *.sha256", TEXT, "text", "list of digests" },
    { "*.png", BINARY, "image", "PNG image" },
    { "*.jp*g", BINARY, "image", "JPEG image" },
    { "*.gif", BINARY, "image", "GIF image" },
    { "*.webp", BINARY, "image", "WebP image" },
    { "*.bmp", BINARY, "image", "bitmap" },
    { "*.ico", BINARY, "image", "icon" },
    { "*.tif*", BINARY, "image", "TIFF image" },
    { "*.pdf", BINARY, "document", "PDF document" },
    { "*.wav", BINARY, "media", "WAV recording" },
    { "*.mp[34]", BINARY, "media", "recording" },
    { "*.flac", BINARY, "media", "FLAC recording" },
    { "*.ogg", BINARY, "media", "Ogg recording" },
    { "*.webm", BINARY, "media", "video" },
    { "pytorch_model*.bin diffusion_pytorch_model*.bin adapter_model*.bin", RAW, "weights",
      "PyTorch weights" },
    { "*.bin", RAW, "weights", "binary data" },
    { "*.pt[hl] *.pt", BINARY, "pickle", "PyTorch file" },
    { "*.ckpt", BINARY, "pickle", "checkpoint" },
    { "*.pkl *.pickle", BINARY, "pickle", "pickle" },
    { "*.joblib", BINARY, "pickle", "joblib file" },
    { "*.pdparams", BINARY, "pickle", "Paddle weights" },
    { "*.h5", BINARY, "weights", "Keras weights" },
    { "*.keras", BINARY, "weights", "Keras model" },
    { "*.onnx", BINARY, "weights", "ONNX model" },
    { "*.tflite", BINARY, "weights", "TensorFlow Lite model" },
    { "*.msgpack", BINARY, "weights", "Flax weights (MessagePack)" },
    { "*.pb", BINARY, "weights", "TensorFlow graph" },
    { "*.mlmodel", BINARY, "weights", "Core ML model" },
    { "*.ot", BINARY, "weights", "rust-bert weights" },
    { "*.nemo", BINARY, "archive", "NeMo archive" },
    { "*.engine", BINARY, "weights", "TensorRT engine" },
    { "*.np[yz]", BINARY, "data", "NumPy file" },
    { "*.parquet", BINARY, "data", "Parquet table" },
    { "*.arrow", BINARY, "data", "Arrow table" },
    { "*.tar *.zip *.gz *.tgz *.zst", BINARY, "archive", "archive" },
    { "*.so *.so.* *.dll *.dylib", BINARY, "program", "shared library" },
    { "*.exe", BINARY, "program", "program" },
    { "*.onnx_data* *.onnx.data", RAW, "weights", "ONNX weights" },
    { "*.data*", RAW, "weights", "binary data" },
    { "*.dat", RAW, "data", "binary data" },
    { "*.imatrix", RAW, "data", "importance matrix" },
    { "*.tfevents.*", RAW, "training", "TensorBoard log" },
    { ".ds_store", RAW, "data", "macOS folder settings" },
};
static const struct name no_name = { "", NOTHING, "unknown", NULL };

static const struct name *name_of(const char *path)
{
    char lower[256];
    numel_str base = path_base(path);
    base = text_lower(lower, sizeof lower,
                      text_tail(base, sizeof lower)); /* the end of a long name identifies it */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_globs(text_of(names[i].patterns), base)) return &names[i];
    return &no_name;
}

bool beside_trained(numel_str name) { return name_of(name.p)->promise == STATES; }

const char *beside_tensors(numel_str name)
{
    const struct name *n = name_of(name.p);
    bool holds = n->promise == STATES || strcmp(n->kind, "weights") == 0 || strcmp(n->kind, "pickle") == 0;
    return holds ? n->label : NULL;
}

struct looking {
    struct beside *b;
    const struct source *s;
    const struct name *name;
    const char *path;
    void *memo;                   /* scratch for a pickle scan; NULL if the name promises no pickle */
    bool zip, text, plain, zeros; /* plain: text in UTF-8 */
    numel_error *error;
};

static bool damaged(struct looking *l, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool damaged(struct looking *l, numel_rc code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(l->error, code, 0, format, args);
    va_end(args);
    return false;
}

/* ---- text --------------------------------------------------------------------------------- */

static bool has_marks(const uint8_t *p, uint64_t n) /* UTF-16 */
{
    return n >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF));
}

/* True without control characters that text never has; Latin-1 is fine. */
static bool is_text(const uint8_t *p, uint64_t n)
{
    if (has_marks(p, n)) return true;
    for (uint64_t i = 0; i < num_min(n, 65536); i++)
        if ((p[i] < 0x20 && !strchr("\t\n\v\f\r\x1b", p[i])) || p[i] == 0) return false;
    return n > 0;
}

/* A server's answer instead of a file. */
static bool is_answer(const uint8_t *p, uint64_t n)
{
    static const char answers[] =
        "Entry not found|Not Found|404: Not Found|404 |403 |401 |Repository not found|Invalid username|"
        "Access to model |Access denied|Forbidden|Unauthorized|Invalid credentials|"
        "Internal Server Error|Bad Gateway|502 |503 |Service Unavailable|Too Many Requests|error code:";
    numel_str text = { (const char *)p, (size_t)n }, rest = text_of(answers), one;
    while (n <= 400 && rest.n)
        if (one = text_cut(&rest, '|'), text_same(text_upto(text, one.n), one)) return true;
    return false;
}

static void say_text(struct looking *l)
{
    const uint8_t *p = l->s->base;
    uint64_t lines = 0, n = l->s->size;
    char count[TEXT_COUNT];
    const char *label = l->name->label ? l->name->label : "text";
    for (uint64_t i = 0; i < n; i++) lines += p[i] == '\n';
    if (n && p[n - 1] != '\n') lines++;
    text_format(l->b->text, l->b->size, "%s, %s", label, text_count(count, lines, "line"));
    if (l->name == &no_name) l->b->kind = "text";
}

/* ---- binary ------------------------------------------------------------------------------- */

static void say_form(struct looking *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The file's format; for a trainer's file, after its label. */
static void say_form(struct looking *l, const char *format, ...)
{
    va_list args;
    struct fixed text = fixed_of(l->b->text, l->b->size);
    if (strcmp(l->name->kind, "training") == 0) fixed_format(&text, "%s: ", l->name->label);
    va_start(args, format);
    fixed_formatv(&text, format, args);
    va_end(args);
}

static void say_bytes(struct looking *l, const char *what)
{
    char number[TEXT_NUMBER], hex[3 * 8 + 1];
    struct fixed bytes = FIXED(hex);
    for (size_t i = 0; i < num_min(l->s->size, 8); i++) fixed_format(&bytes, " %02x", l->s->base[i]);
    text_format(l->b->text, l->b->size, "%s, %s bytes%s%s", what, text_number(number, l->s->total),
                l->name == &no_name ? ", beginning with" : "", l->name == &no_name ? hex : "");
}

/* A protobuf message whose fields 1 `pieces` counts: each field has exactly its stated length. */
static bool walk_message(const struct source *s, uint64_t *pieces, bool *cut)
{
    uint64_t at = 0, value;
    for (*pieces = 0, *cut = false; at < s->size;) {
        unsigned field = s->base[at] >> 3, wire = s->base[at] & 7, shift = 0;
        if (!field || (wire != 0 && wire != 1 && wire != 2 && wire != 5) || s->base[at++] & 0x80)
            return false;
        value = wire == 1 ? 8 : wire == 5 ? 4 : 0;
        for (bool more = wire == 0 || wire == 2; more && shift < 64; shift += 7) {
            if (at >= s->size) return !(*cut = true);
            value |= (uint64_t)(s->base[at] & 0x7F) << shift;
            more = s->base[at++] & 0x80;
        }
        if (wire == 0) value = 0;
        if (!num_inside(at, value, s->total)) return !(*cut = true);
        at += value;
        *pieces += field == 1;
    }
    return true;
}

static bool say_pieces(struct looking *l)
{
    uint64_t pieces;
    bool cut, ok = walk_message(l->s, &pieces, &cut);
    char number[TEXT_NUMBER];
    if (l->text && l->s->base[0] != '\n') {
        l->name = &(const struct name){ "", TEXT, "tokenizer", "tiktoken vocabulary" };
        say_text(l);
        return true;
    }
    if (cut) return damaged(l, NUMEL_E_TRUNCATED, "is a truncated SentencePiece model: download it again");
    if (!ok || !pieces)
        return damaged(l, NUMEL_E_FORMAT, "is neither a SentencePiece model nor a tiktoken vocabulary");
    text_format(l->b->text, l->b->size, "SentencePiece model, %s pieces", text_number(number, pieces));
    return true;
}

static void ignore_import(void *ctx, numel_str module, numel_str name, bool hidden)
{
    (void)ctx, (void)module, (void)name, (void)hidden;
}

/* Pickles of protocols 0 and 1 have no magic: they are text, and a scan reaches their end. */
static bool is_old_pickle(struct looking *l)
{
    uint64_t used;
    if (pickle_scan(l->s->base, l->s->size, &used, l->memo, ignore_import, NULL) != PICKLE_STOP) return false;
    l->b->kind = "pickle";
    say_form(l, "a pickle of protocol 0 or 1: loading it may run code");
    return true;
}

static bool is_binary(const struct name *n)
{
    return n->promise == BINARY || n->promise == STATES || n->promise == RAW;
}

/* Compares its magic with its name. */
static bool say_magic(struct looking *l, const char *what, const char *kind)
{
    if (l->name->promise != NOTHING && !is_binary(l->name))
        return damaged(l, NUMEL_E_FORMAT, "is %s, but its name says %s: download it again", what,
                       l->name->label);
    l->b->kind = kind;
    l->zip = strcmp(kind, "archive") == 0 && l->s->base[0] == 'P';
    bool pickle = strcmp(kind, "pickle") == 0;
    say_form(l, "%s%s", what, pickle ? ": loading it may run code" : "");
    return true;
}

/* ---- the checks --------------------------------------------------------------------------- */

/* False if it is a substitute for a missing file; true to check further. */
static bool arrived(struct looking *l)
{
    const struct source *s = l->s;
    struct recognised as;
    char what[400];
    bool known = recognise(s->base, s->size, s->total, what, sizeof what, &as);
    bool page = known && (strncmp(what, "is an HTML", 10) == 0 || strncmp(what, "is an XML", 9) == 0);
    if (known && (as.rule == FINDING_LFS_POINTER || as.rule == FINDING_FILE_EMPTY))
        return damaged(l, NUMEL_E_FORMAT, "%s", what);
    if (page && l->name->promise != PAGE) return damaged(l, NUMEL_E_FORMAT, "%s", what);
    if (known && as.rule == FINDING_ZERO_FILLED) {
        l->zeros = l->name->promise == RAW;
        if (!l->zeros) return damaged(l, NUMEL_E_FORMAT, "%s", what);
    }
    if (l->text && is_answer(s->base, s->size))
        return damaged(l, NUMEL_E_FORMAT, "%s", known ? what : "is a server's response: download it again");
    return true;
}

NUMEL_MUST static bool say_json(struct looking *l)
{
    const struct source *s = l->s;
    enum promise p = l->name->promise;
    if (!l->text && s->size)
        return damaged(l, NUMEL_E_FORMAT, "is binary data, but its name says %s", l->name->label);
    if (s->size < s->total || !s->complete) {
        text_format(l->b->text, l->b->size, "%s, too large to read completely", l->name->label);
        return true;
    }
    return beside_json(l->b, s->base, s->size, l->name->label, p == OBJECT ? JSON_OBJECT_ONLY : JSON_ANY,
                       l->error);
}

/* Describes a file whose name promises nothing: as JSON, else as text, else as bytes. */
static bool say_unknown(struct looking *l)
{
    const struct source *s = l->s;
    uint64_t i = 0;
    numel_error why = { 0 };
    while (i < s->size && isspace(s->base[i])) i++;
    bool json = l->text && s->complete && i < s->size && strchr("{[", s->base[i]);
    l->b->kind = "json";
    if (json && beside_json(l->b, s->base, s->size, NULL, JSON_ANY, &why)) return true;
    if (json && why.code == NUMEL_E_FORMAT) return damaged(l, why.code, "%s", why.what);
    l->b->kind = "unknown";
    if (l->text) say_text(l);
    else say_bytes(l, "unknown: binary data");
    return true;
}

NUMEL_MUST static bool say_promised(struct looking *l)
{
    switch (l->name->promise) {
    case JSON:
    case OBJECT: return say_json(l);
    case PIECES: return say_pieces(l);
    case TEXT:
    case PAGE:
    case MARKER:
        if (!l->text)
            return damaged(l, NUMEL_E_FORMAT, "is binary data, but its name says %s", l->name->label);
        say_text(l);
        return true;
    case BINARY:
    case STATES:
    case RAW:
        if (l->plain && is_old_pickle(l)) return true;
        if (l->plain)
            return damaged(l, NUMEL_E_FORMAT, "is text, but its name says %s: download it again",
                           l->name->label);
        say_bytes(l, l->name->label);
        return true;
    case NOTHING: break;
    }
    return say_unknown(l);
}

NUMEL_MUST static bool body(void *ctx)
{
    struct looking *l = ctx;
    const struct source *s = l->s;
    const char *kind = NULL, *what = recognise_magic(s->base, s->size, &kind);
    l->b->kind = l->name->kind;
    if (s->total == 0 && l->name->promise == MARKER) {
        text_format(l->b->text, l->b->size, "%s, empty", l->name->label);
        return true;
    }
    l->text = is_text(s->base, s->size);
    l->plain = l->text && text_utf8(s->base, num_min(s->size, 4096)) + 4 > num_min(s->size, 4096);
    if (!arrived(l)) return false;
    return what ? say_magic(l, what, kind) : say_promised(l);
}

/* ---- past the start of the file ----------------------------------------------------------- */

static const char *zip_label(const struct zip *z)
{
    bool npy = z->count > 0;
    for (size_t i = 0; i < z->count; i++) {
        numel_str n = z->entries[i].name;
        if (text_ends(n, "/data.pkl") || text_equal(n, "data.pkl"))
            return "PyTorch checkpoint, a pickle in a zip: loading it may run code";
        if (text_equal(n, "model.weights.h5")) return "Keras model";
        npy &= text_ends(n, ".npy");
    }
    return npy ? "NumPy arrays (.npz)" : "zip archive";
}

/* Only the end of a file reveals a truncated archive or a checkpoint full of zeros. */
NUMEL_MUST static bool look_at_end(struct looking *l, const numel_allocator *memory)
{
    struct arena a;
    struct stream s;
    struct zip z;
    uint8_t tail[4096];
    size_t n = (size_t)num_min(sizeof tail, l->s->total);
    bool zeros = true;
    if (!stream_open(&s, l->path, l->error)) return false;
    arena_init(&a, memory);
    struct zip_bytes b = zip_stream(&s);
    bool ok = l->zip ? zip_read(&z, &b, &a, l->error) : stream_read(&s, s.was.bytes - n, tail, n, l->error);
    for (size_t i = 0; !l->zip && i < n; i++) zeros &= ok && tail[i] == 0;
    if (ok && l->zip) {
        const char *label = zip_label(&z);
        if (strstr(label, "pickle")) l->b->kind = "pickle";
        say_form(l, "%s, %zu entr%s", label, z.count, z.count == 1 ? "y" : "ies");
    } else if (ok && zeros) {
        ok = damaged(l, NUMEL_E_FORMAT,
                     "begins and ends with zeros: the space was allocated, but the data never arrived");
    }
    arena_done(&a);
    return stream_close(&s, l->error) && ok;
}

bool beside_say(struct beside *b, const char *path, const struct source *s, const numel_allocator *memory,
                numel_error *e)
{
    struct looking l = { .b = b, .s = s, .name = name_of(path), .path = path, .error = e };
    if (is_binary(l.name) && !(l.memo = memory_resize(memory, NULL, PICKLE_MEMO))) return error_nomem(e);
    bool ok = source_run(s, body, &l, e);
    memory_release(memory, l.memo);
    return ok && (!(l.zip || l.zeros) || s->compressed || look_at_end(&l, memory));
}
