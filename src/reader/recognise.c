/*
 * recognise.c -- a table of magics, and for text a few checks of its first bytes, the most frequent
 * substitutes for a checkpoint first.
 */
#include "reader/recognise.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define PICKLE                                                                                            \
    "numel reads those of PyTorch, under a name such as .bin; loading a pickle runs code: convert it to " \
    "safetensors"
#define LEGACY "convert it with an old llama.cpp (convert-llama-ggml-to-gguf.py) or download a GGUF"
#define WHISPER "whisper.cpp reads it as it is; numel reads safetensors and GGUF"
#define RWKV "rwkv.cpp reads it as it is; numel reads safetensors and GGUF"
#define UNPACK "unpack it first"
#define OTHER "numel reads safetensors and GGUF"
#define NOTHING "not a checkpoint"

enum kind { ARCHIVE, PICKLE_KIND, WEIGHTS, PICTURE, MEDIA, DOCUMENT, DATA, PROGRAM };
static const char *const kind_names[] = { "archive", "pickle",   "weights", "image",
                                          "media",   "document", "data",    "program" };

static const struct {
    const char *bytes;
    unsigned n, at;
    enum kind kind;
    const char *what, *help;
} magics[] = {
    { "PK\3\4", 4, 0, ARCHIVE, "a zip archive, most likely a PyTorch pickle (.bin, .pt) or a .npz", PICKLE },
    { "\x80\2", 2, 0, PICKLE_KIND, "a pickle, most likely an old PyTorch checkpoint", PICKLE },
    { "\x80\3", 2, 0, PICKLE_KIND, "a pickle", PICKLE },
    { "\x80\4", 2, 0, PICKLE_KIND, "a pickle", PICKLE },
    { "\x80\5", 2, 0, PICKLE_KIND, "a pickle", PICKLE },
    { "lmgg", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggml', before GGUF)", LEGACY },
    { "fmgg", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggmf', before GGUF)", LEGACY },
    { "tjgg", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggjt', before GGUF)", LEGACY },
    { "algg", 4, 0, WEIGHTS, "a legacy ggml LoRA adapter (magic 'ggla', before GGUF)", LEGACY },
    { "ggml", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggml', big-endian, before GGUF)", LEGACY },
    { "ggmf", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggmf', big-endian, before GGUF)", LEGACY },
    { "ggjt", 4, 0, WEIGHTS, "a legacy ggml file (magic 'ggjt', big-endian, before GGUF)", LEGACY },
    { "GGJT", 4, 0, WEIGHTS, "a legacy ggml file (magic 'GGJT', before GGUF)", LEGACY },
    { "GGML", 4, 0, WEIGHTS, "a legacy ggml file (magic 'GGML', before GGUF)", LEGACY },
    { "FUGG", 4, 0, WEIGHTS, "a GGUF file with its magic reversed and a version that does not match",
      "it was written by a broken converter: download it again" },
    { "\x1f\x8b", 2, 0, ARCHIVE, "a gzip file", UNPACK },
    { "BZh", 3, 0, ARCHIVE, "a bzip2 file", UNPACK },
    { "\xfd"
      "7zXZ",
      5, 0, ARCHIVE, "an xz file", UNPACK },
    { "7z\xbc\xaf", 4, 0, ARCHIVE, "a 7-Zip archive", UNPACK },
    { "sys_info", 9, 0, PICKLE_KIND, "a PyTorch file of 2016 (a tar archive, torch 0.1)",
      "load it with torch.load(weights_only=False), which runs its code, and save its state_dict()" },
    { "ustar", 5, 257, ARCHIVE, "a tar archive", UNPACK },
    { "\x89HDF", 4, 0, WEIGHTS, "an HDF5 file (Keras .h5)", "convert it to safetensors" },
    { "\x93NUMPY", 6, 0, DATA, "a NumPy array", OTHER },
    { "TFL3", 4, 4, WEIGHTS, "a TensorFlow Lite model", OTHER },
    { "%PDF", 4, 0, DOCUMENT, "a PDF document", NOTHING },
    { "\x89PNG", 4, 0, PICTURE, "a PNG image", NOTHING },
    { "\xff\xd8\xff", 3, 0, PICTURE, "a JPEG image", NOTHING },
    { "GIF8", 4, 0, PICTURE, "a GIF image", NOTHING },
    { "WEBP", 4, 8, PICTURE, "a WebP image", NOTHING },
    { "WAVE", 4, 8, MEDIA, "a WAV recording", NOTHING },
    { "fLaC", 4, 0, MEDIA, "a FLAC recording", NOTHING },
    { "OggS", 4, 0, MEDIA, "an Ogg recording", NOTHING },
    { "ID3", 3, 0, MEDIA, "an MP3 recording", NOTHING },
    { "ftyp", 4, 4, MEDIA, "an MP4 video", NOTHING },
    { "PAR1", 4, 0, DATA, "a Parquet table", NOTHING },
    { "ARROW1", 6, 0, DATA, "an Arrow table", NOTHING },
    { "SQLite format 3", 15, 0, DATA, "an SQLite database", NOTHING },
    { "\x7f"
      "ELF",
      4, 0, PROGRAM, "a program (ELF)", NOTHING },
    { "MZ\x90", 3, 0, PROGRAM, "a program (Windows)", NOTHING },
    { "\xcf\xfa\xed\xfe", 4, 0, PROGRAM, "a program (Mach-O)", NOTHING },
    { "\xca\xfe\xba\xbe", 4, 0, PROGRAM, "a program (Mach-O, or Java)", NOTHING },
};
enum { MAGICS = sizeof magics / sizeof *magics };

static bool starts(const uint8_t *p, uint64_t n, const char *text)
{
    size_t len = strlen(text);
    if (n < len) return false;
    for (size_t i = 0; i < len; i++)
        if (tolower(p[i]) != text[i]) return false;
    return true;
}

/* The size in a Git LFS pointer; false if it is not one. */
static bool lfs_pointer(const uint8_t *p, uint64_t n, uint64_t *bytes)
{
    if (!starts(p, n, "version https://git-lfs") && !starts(p, n, "version https://hawser")) return false;
    *bytes = 0;
    for (uint64_t i = 0; i + 6 < n && i < 1024; i++) {
        if (memcmp(p + i, "\nsize ", 6) != 0) continue;
        numel_str rest = text_span((const char *)p + i + 6, (const char *)p + n);
        (void)number_digits(&rest, bytes); /* 0 if there are no digits, or too many */
        break;
    }
    return true;
}

/* The first words of a text, so that the user can recognise it. */
static void say_text(const uint8_t *p, uint64_t n, const char *what, const char *help, char *text,
                     size_t size)
{
    char words[TEXT_QUOTE];
    uint64_t k = 0;
    while (k < n && k < 60 && p[k] != '\n') k++;
    if (k < n && k == 60)
        while (k > 40 && p[k - 1] != ' ') k--;
    text_format(text, size, "is %s (%s): %s", what,
                text_quote(words, (numel_str){ (const char *)p, (size_t)k }), help);
}

static bool is_text(const uint8_t *p, uint64_t n)
{
    uint64_t k = num_min(n, 256), i = 0;
    for (; i < k; i++)
        if ((p[i] < 0x20 && p[i] != '\n' && p[i] != '\t' && p[i] != '\r') || p[i] == 0x7F) return false;
    return k > 0 && (text_utf8(p, k) + 4 > k);
}

/* "Name(", and in the next line "  (child): ": the output of print(model). */
static bool is_printed_model(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 1; i + 2 < n; i++) {
        if (p[i] != '(' || p[i + 1] != '\n' || !isalnum(p[i - 1])) continue;
        uint64_t k = i + 2;
        while (k < n && p[k] == ' ') k++;
        if (k >= n || p[k] != '(') continue;
        while (k < n && p[k] != ')' && p[k] != '\n') k++;
        if (k + 1 < n && p[k] == ')' && p[k + 1] == ':') return true;
    }
    return false;
}

static bool recognise_text(const uint8_t *p, uint64_t n, char *text, size_t size)
{
    while (n && isspace(*p)) p++, n--;
    if (starts(p, n, "<!doctype html") || starts(p, n, "<html") || starts(p, n, "<head"))
        say_text(p, n, "an HTML page",
                 "the download saved a web page instead: log in, accept the licence, or use the "
                 "direct link to the file",
                 text, size);
    else if (starts(p, n, "<?xml") || starts(p, n, "<error"))
        say_text(p, n, "an XML page", "the server sent an error: download it again", text, size);
    else if (n && (*p == '{' || *p == '[') && is_text(p, n))
        say_text(p, n, "a JSON text",
                 "neither a checkpoint nor a shard index: an error response, or a configuration ('numel "
                 "formula FILE' reads it)",
                 text, size);
    else if (is_text(p, n) && is_printed_model(p, n))
        say_text(p, n, "a printed model", "'numel diff MODEL FILE' compares it", text, size);
    else if (is_text(p, n))
        say_text(p, n, "plain text", "a server's response, or a link saved as text: download the file again",
                 text, size);
    else return false;
    return true;
}

static bool all_zero(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i]) return false;
    return n > 0;
}

/* ---- ggml before GGUF --------------------------------------------------------------------- */

static uint64_t word_at(const uint8_t *p, uint64_t n, unsigned i)
{
    return num_inside(4 * (uint64_t)i, 4, n) ? num_load(p + 4 * (size_t)i, 4, false) : 0;
}

/* n_vocab, n_audio_ctx, n_audio_state, n_audio_head, n_audio_layer, n_text_ctx, n_text_state, n_text_head,
 * n_text_layer, n_mels, ftype, and a table of filters that begins with n_mels again and half an FFT. In
 * llama.cpp's language models the vocabulary begins at the eighth word. */
static bool is_whisper(const uint8_t *p, uint64_t n)
{
    uint64_t mels = word_at(p, n, 10), width = word_at(p, n, 3), heads = word_at(p, n, 4);
    return (mels == 80 || mels == 128) && word_at(p, n, 12) == mels && width && heads && width % heads == 0;
}

/* A text with its length, "silero-16k". */
static bool is_voice_activity(const uint8_t *p, uint64_t n)
{
    return word_at(p, n, 1) == 10 && num_inside(8, 10, n) && memcmp(p + 8, "silero-16k", 10) == 0;
}

/* Versions 100 and 101; llama.cpp's is 1. */
static bool is_rwkv(const uint8_t *p, uint64_t n)
{
    return word_at(p, n, 1) == 100 || word_at(p, n, 1) == 101;
}

/* Programs with their own format under a ggml magic. */
static const struct own {
    const char *magic;
    bool (*is)(const uint8_t *p, uint64_t n);
    const char *what, *help;
} owns[] = {
    { "lmgg", is_whisper, "a speech model of whisper.cpp in its own format (magic 'ggml')", WHISPER },
    { "lmgg", is_voice_activity, "a voice activity model of whisper.cpp in its own format (magic 'ggml')",
      WHISPER },
    { "fmgg", is_rwkv, "a model of rwkv.cpp in its own format (magic 'ggmf')", RWKV },
};

static const struct own *own_of(const uint8_t *p, uint64_t n)
{
    for (size_t i = 0; n >= 4 && i < sizeof owns / sizeof *owns; i++)
        if (memcmp(p, owns[i].magic, 4) == 0 && owns[i].is(p, n)) return &owns[i];
    return NULL;
}

/* The row of the magic at the start; MAGICS if there is none. */
static size_t magic_of(const uint8_t *p, uint64_t n)
{
    size_t i = 0;
    for (; i < MAGICS; i++)
        if (num_inside(magics[i].at, magics[i].n, n) &&
            memcmp(p + magics[i].at, magics[i].bytes, magics[i].n) == 0)
            break;
    return i;
}

const char *recognise_magic(const uint8_t *p, uint64_t n, const char **kind)
{
    size_t i = magic_of(p, n);
    const struct own *own = own_of(p, n);
    if (i == MAGICS) return NULL;
    *kind = kind_names[magics[i].kind];
    return own ? own->what : magics[i].what;
}

bool recognise(const uint8_t *p, uint64_t n, uint64_t total, char *text, size_t size, struct recognised *as)
{
    char number[TEXT_NUMBER];
    *as = (struct recognised){ .rule = FINDING_NOT_A_CHECKPOINT };
    if (n == 0 && total == 0) {
        as->rule = FINDING_FILE_EMPTY;
        text_format(text, size, "is empty (0 bytes): the download has not begun, download it again");
        return true;
    }
    if (lfs_pointer(p, n, &as->promised)) {
        as->rule = FINDING_LFS_POINTER;
        text_format(
            text, size,
            "is a Git LFS pointer to %s bytes, not the file: run 'git lfs pull', or download it again",
            text_number(number, as->promised));
        return true;
    }
    size_t magic = magic_of(p, n);
    const struct own *own = own_of(p, n);
    if (own) {
        text_format(text, size, "is %s: %s", own->what, own->help);
        return true;
    }
    if (magic < MAGICS) {
        text_format(text, size, "is %s: %s", magics[magic].what, magics[magic].help);
        return true;
    }
    if (all_zero(p, num_min(n, 4096))) {
        as->rule = FINDING_ZERO_FILLED;
        text_format(text, size,
                    "begins with %" PRIu64 " zero bytes: the space was allocated, but the data "
                    "never arrived; download it again",
                    num_min(n, 4096));
        return true;
    }
    return recognise_text(p, n, text, size);
}

static const char *const unfinished[] = { ".incomplete", ".part",  ".partial", ".crdownload",
                                          ".download",   ".aria2", ".tmp" };

const char *recognise_unfinished_end(size_t i)
{
    return i < sizeof unfinished / sizeof *unfinished ? unfinished[i] : NULL;
}

const char *recognise_unfinished(const char *path)
{
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        if (text_ends(text_of(path), unfinished[i])) return unfinished[i];
    return NULL;
}
