/* option_table.c -- the table of all options. */
#include "cli.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct options, field), sizeof(((struct options *)NULL)->field)

static const char *const bys[] = { "layer", "dtype", "file", NULL };
static const char *const sorts[] = { "name", "elements", "bytes", "offset", "dtype", NULL };
static const char *const levels[] = { "header", "size", "index", "config", "hash", NULL };
static const char *const runtimes[] = { "transformers", "llama.cpp", "vllm", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };

/* clang-format off: one row per line */
const struct option option_table[] = {
    { "json", 'j', NULL, 0, OPTION_FORMAT, 0, 0, FORMAT_JSON, 0, NULL,
      "JSON with exact integers, for programs" },
    { "ndjson", 0, NULL, 0, OPTION_FORMAT, 0, 0, FORMAT_NDJSON, 0, NULL, "the same, one object per line" },
    { "quiet", 'q', NULL, 0, OPTION_FORMAT, 0, 0, FORMAT_QUIET, 0, NULL, "only the one number, or nothing" },
    { "markdown", 0, NULL, TAKES_MARKDOWN, OPTION_FORMAT, 0, 0, FORMAT_MARKDOWN, 0, NULL,
      "for model cards and pull requests" },
    { "html", 0, "FILE", TAKES_HTML, OPTION_TEXT, AT(html), 0, 0, NULL,
      "a page for a browser; - for standard output" },
    { "depth", 'd', "N", TAKES_TREE, OPTION_COUNT, AT(view.depth), 1, 1000, NULL,
      "levels of names to show; default: all that fit" },
    { "by", 'b', "WHAT", TAKES_TREE, OPTION_WORD, AT(view.by), 0, 0, bys, "group by" },
    { "others", 0, NULL, TAKES_OTHERS, OPTION_FLAG, AT(view.others), 0, 0, NULL,
      "what other programs would count, and why" },
    { "sort", 's', "KEY", TAKES_SORT, OPTION_WORD, AT(view.sort), 0, 0, sorts, "by" },
    { "match", 'm', "GLOB", TAKES_MATCH, OPTION_TEXTS, AT(matches), 0, 0, NULL,
      "contain 'q_proj', or match '*.q_proj.weight'" },
    { "expect", 0, "KEY=VALUE", TAKES_EXPECT, OPTION_EXPECT, AT(expects), 0, 0, NULL,
      "params=8.03B,arch=llama,bits=4; exit status 1 if not" },
    { "config", 'c', "FILE", TAKES_KNOWLEDGE, OPTION_TEXT, AT(knowledge.config), 0, 0, NULL,
      "config.json or params.json to use" },
    { "base", 0, "PATH", TAKES_KNOWLEDGE, OPTION_TEXT, AT(knowledge.base), 0, 0, NULL,
      "the base model of an adapter, to check it against" },
    { "arch", 'a', "NAME", TAKES_KNOWLEDGE, OPTION_TEXT, AT(knowledge.architecture), 0, 0, NULL,
      "architecture to use instead of the one found" },
    { "set", 0, "KEY=N", TAKES_KNOWLEDGE, OPTION_TEXTS, AT(sets), 0, 0, NULL,
      "set a symbol or a key of the configuration" },
    { "spec", 0, "FILE|DIR", TAKES_KNOWLEDGE | TAKES_SPEC, OPTION_TEXTS, AT(specs), 0, 0, NULL,
      "your own specifications" },
    { "as", 0, "VERSION", TAKES_PRINT, OPTION_TEXT, AT(knowledge.print_as), 0, 0, NULL,
      "print as that version of transformers does: 5.2" },
    { "level", 'l', "LEVEL", TAKES_LEVEL, OPTION_WORD, AT(level), NUMEL_LEVEL_HEADER, 0, levels, "" },
    { "against", 0, "URL", TAKES_MANIFEST, OPTION_TEXT, AT(against), 0, 0, NULL,
      "compare with the published files of hf://ORG/NAME" },
    { "manifest", 0, "FILE", TAKES_MANIFEST, OPTION_TEXT, AT(manifest), 0, 0, NULL,
      "digests to compare with; implies --level hash" },
    { "values", 0, NULL, TAKES_MANIFEST, OPTION_FLAG, AT(values), 0, 0, NULL,
      "look for NaN, infinity, zeros, scales out of range" },
    { "context", 0, "N", TAKES_PLAN, OPTION_MANY, AT(plan.context), 1, UINT64_C(1) << 40, NULL,
      "tokens of each sequence: 8192, 128k" },
    { "batch", 0, "N", TAKES_PLAN, OPTION_MANY, AT(plan.batch), 1, 1 << 24, NULL, "sequences at once" },
    { "fit", 0, "SIZE|CARD", TAKES_PLAN, OPTION_FIT, AT(plan.fit), MIB, INT64_MAX, NULL,
      "memory: 24GiB, rtx4090, auto; 1 if too little" },
    { "kv", 0, "TYPE", TAKES_PLAN, OPTION_TEXT, AT(plan.kv), 0, 0, NULL,
      "type of the cache: f16, q8_0, q4_0, fp8; or K,V" },
    { "load", 0, "TYPE", TAKES_PLAN, OPTION_TEXT, AT(plan.load), 0, 0, NULL,
      "weights as f16, bf16, f32, or as-is" },
    { "runtime", 0, "WHOSE", TAKES_PLAN, OPTION_WORD, AT(plan.runtime), NUMEL_RUNTIME_TRANSFORMERS, 0,
      runtimes, "rules:" },
    { "fit", 0, "SIZE|CARD", TAKES_LIST, OPTION_FIT, AT(knowledge.fit), MIB, INT64_MAX, NULL,
      "show which of them fit: in 24GiB, rtx4090, auto" },
    { "encoder", 0, "N", TAKES_PLAN, OPTION_MANY, AT(plan.source), 1, UINT64_C(1) << 40, NULL,
      "tokens, frames or patches that an encoder reads" },
    { "n-ubatch", 0, "N", TAKES_PLAN, OPTION_COUNT, AT(plan.ubatch), 1, 1 << 24, NULL,
      "tokens read at once; default: 512" },
    { "seqs", 0, "N", TAKES_PLAN, OPTION_MANY, AT(plan.seqs), 1, 1 << 24, NULL,
      "llama.cpp: sequences that share the context" },
    { "kv-unified", 0, NULL, TAKES_PLAN, OPTION_FLAG, AT(plan.unified), 0, 0, NULL,
      "llama.cpp: each sequence may use all of it" },
    { "swa-full", 0, NULL, TAKES_PLAN, OPTION_FLAG, AT(plan.swa_full), 0, 0, NULL,
      "llama.cpp: windows keep all tokens" },
    { "no-flash-attn", 0, NULL, TAKES_PLAN, OPTION_FLAG, AT(plan.no_flash), 0, 0, NULL,
      "llama.cpp: without flash attention" },
    { "gpus", 0, "SIZES", TAKES_PLAN, OPTION_TEXT, AT(plan.devices), 0, 0, NULL,
      "split among devices: 2x24GiB, or 24GiB,16GiB" },
    { "offload", 0, "N", TAKES_PLAN, OPTION_TEXT, AT(plan.offload), 0, 0, NULL,
      "put only the last N layers on them" },
    { "cpu-experts", 0, NULL, TAKES_PLAN, OPTION_FLAG, AT(plan.cpu_experts), 0, 0, NULL,
      "keep the routed experts off them" },
    { "train", 0, "HOW", TAKES_PLAN, OPTION_TEXT, AT(plan.train), 0, 0, NULL,
      "memory for training: adamw, adam8bit, lora:16" },
    { "values", 0, NULL, TAKES_TIED, OPTION_FLAG, AT(knowledge.values), 0, 0, NULL,
      "compare a stored tied head with its embedding" },
    { "values", 0, NULL, TAKES_VALUES, OPTION_FLAG, AT(values), 0, 0, NULL,
      "also compare the values; reads all data" },
    { "nearest", 0, "DIR", TAKES_VALUES, OPTION_TEXT, AT(nearest), 0, 0, NULL,
      "find the checkpoint of a folder closest to it" },
    { "junit", 0, "FILE", TAKES_MANIFEST, OPTION_TEXT, AT(junit), 0, 0, NULL,
      "write the results as JUnit XML, for CI" },
    { "sarif", 0, "FILE", TAKES_MANIFEST, OPTION_TEXT, AT(sarif), 0, 0, NULL,
      "write the results as SARIF 2.1.0, for CI" },
    { "files-only", 0, NULL, TAKES_HASHING, OPTION_FLAG, AT(hashing.files_only), 0, 0, NULL,
      "only whole files" },
    { "tensors-only", 0, NULL, TAKES_HASHING, OPTION_FLAG, AT(hashing.tensors_only), 0, 0, NULL,
      "only tensors and the model" },
    { "deep", 0, NULL, TAKES_LIST, OPTION_FLAG, AT(list.deep), 0, 0, NULL,
      "infer architectures without a configuration" },
    { "csv", 0, NULL, TAKES_LIST, OPTION_FORMAT, 0, 0, FORMAT_CSV, 0, NULL, "comma-separated values" },
    { "columns", 0, "NAMES", TAKES_LIST, OPTION_TEXT, AT(list.columns), 0, 0, NULL,
      "columns to show, like name,parameters,bytes" },
    { "sort", 's', "COLUMN", TAKES_LIST, OPTION_TEXT, AT(list.sort), 0, 0, NULL,
      "by name, parameters, bytes or another column" },
    { "reverse", 0, NULL, TAKES_LIST, OPTION_FLAG, AT(list.reverse), 0, 0, NULL,
      "in the reverse order of --sort" },
    { "since", 0, "WHEN", TAKES_LIST, OPTION_TEXT, AT(list.since), 0, 0, NULL,
      "changed since 2026-01-31, or in the last 7d, 12h" },
    { "top", 0, "N", TAKES_LIST, OPTION_MANY, AT(list.top), 1, UINT64_C(1) << 40, NULL,
      "only the first N rows" },
    { "totals", 0, "N", TAKES_LIST, OPTION_COUNT, AT(list.totals), 1, 1000, NULL,
      "what folders come to, N levels deep" },
    { "files-from", 0, "FILE", TAKES_LIST, OPTION_TEXT, AT(list.from), 0, 0, NULL,
      "paths to list, one per line; - for standard input" },
    { "null", '0', NULL, TAKES_LIST, OPTION_FLAG, AT(list.zero), 0, 0, NULL,
      "paths end with NUL, in --files-from and with -q" },
    { "shard", 0, "I/N", TAKES_LIST, OPTION_TEXT, AT(list.shard), 0, 0, NULL,
      "only part I of N; the same parts in every run" },
    { "resume", 0, "FILE", TAKES_LIST, OPTION_TEXT, AT(list.resume), 0, 0, NULL,
      "skip what an earlier --json run wrote to FILE" },
    { "cache", 0, "FILE", TAKES_LIST, OPTION_TEXT, AT(list.cache), 0, 0, NULL,
      "keep rows, and read only what has changed since" },
    { "buffer", 0, "BYTES", TAKES_LIST, OPTION_BYTES, AT(list.memory), 1, INT64_MAX, NULL,
      "memory for --sort before it uses a file (16MiB)" },
    { "duplicates", 0, NULL, TAKES_LIST, OPTION_FLAG, AT(list.duplicates), 0, 0, NULL,
      "files with the same bytes; one model in two forms" },
    { "hash", 0, NULL, TAKES_LIST, OPTION_FLAG, AT(list.hash), 0, 0, NULL,
      "for --duplicates: compare all bytes, not samples" },
    { "leftovers", 0, NULL, TAKES_LIST, OPTION_FLAG, AT(list.leftovers), 0, 0, NULL,
      "partial downloads, unused blobs and the like" },
    { "jobs", 0, "N", 0, OPTION_COUNT, AT(work.threads), 1, 1024, NULL,
      "threads (one per processor); requests at once (16)" },
    { "resume", 0, "[=FILE]", TAKES_WORK, OPTION_TEXT, AT(resume), 0, 0, NULL,
      "continue an interrupted run" },
    { "force", 'f', NULL, TAKES_FORCE, OPTION_FLAG, AT(force), 0, 0, NULL, "overwrite files" },
    { "no-truncate", 0, NULL, 0, OPTION_FLAG, AT(view.all), 0, 0, NULL, "do not truncate" },
    { "strict", 0, NULL, 0, OPTION_FLAG, AT(library.strict), 0, 0, NULL, "warnings count as errors" },
    { "max-header", 0, "BYTES", 0, OPTION_BYTES, AT(library.max_header_bytes), 1, INT64_MAX, NULL,
      "largest accepted header: 512MiB, 2GB (100000000)" },
    { "color", 0, "WHEN", 0, OPTION_WORD, AT(color), 0, 0, colors, "" },
    { "no-pager", 0, NULL, 0, OPTION_FLAG, AT(no_pager), 0, 0, NULL,
      "no pager for long output on a terminal" },
    { "offline", 0, NULL, 0, OPTION_FLAG, AT(offline), 0, 0, NULL,
      "of remote models only what is in the cache" },
    { "no-cache", 0, NULL, 0, OPTION_FLAG, AT(no_cache), 0, 0, NULL,
      "neither use nor fill the cache of headers" },
    { "save", 0, "DIR", 0, OPTION_TEXT, AT(library.save), 0, 0, NULL,
      "keep header-only copies of a remote model" },
    { "no-progress", 0, NULL, 0, OPTION_FLAG, AT(no_progress), 0, 0, NULL, "no progress bar" },
    { "help", 'h', NULL, 0, OPTION_FLAG, AT(help), 0, 0, NULL, "this text" },
    { NULL, 0, NULL, 0, OPTION_FLAG, 0, 0, 0, 0, NULL, NULL },
};
/* clang-format on */

bool option_belongs(const struct option *o, const struct command *c)
{
    bool refused = o->kind == OPTION_FORMAT && (c->takes & TAKES_NO_FORMAT);
    return !refused && (!o->takes || (o->takes & c->takes) != 0);
}

bool option_is_path(const struct option *o)
{
    return o->value && (strstr(o->value, "FILE") || strstr(o->value, "DIR"));
}

const struct option *option_find(const struct command *c, const char *name, size_t n, char letter)
{
    for (const struct option *o = option_table; o->name; o++) {
        if (!option_belongs(o, c)) continue;
        if (letter ? o->letter == letter : strlen(o->name) == n && memcmp(o->name, name, n) == 0) return o;
    }
    return NULL;
}

bool put_bytes(char *out, size_t room, size_t *used, const char *p, size_t n)
{
    if (*used >= room) return false;
    size_t fit = n < room - *used ? n : room - *used - 1;
    if (fit) memcpy(out + *used, p, fit);
    *used += fit;
    out[*used] = 0;
    return fit == n;
}

bool join_words(char *out, size_t room, const char *const *words, const char *last)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; words[i]; i++) {
        const char *between = i == 0 ? "" : words[i + 1] ? ", " : last;
        if (!put_bytes(out, room, &used, between, strlen(between)) ||
            !put_bytes(out, room, &used, words[i], strlen(words[i])))
            return false;
    }
    return true;
}
