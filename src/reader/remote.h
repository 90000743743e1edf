/*
 * remote.h -- a model that lies elsewhere, as header-only copies in a private folder.
 *
 * The host lists files and reads ranges (numel_options.list, .read). What is read becomes a folder that every
 * command understands: small files that describe a model are whole, of weights there is the header in a copy
 * as `numel behead` makes it (of PyTorch a file with holes), of all other files only their size. Everything
 * comes from one commit.
 *
 *     list       one request
 *     configurations, indexes, tokenizers' settings     all at once, up to SMALL bytes each
 *     the front of each file with weights               all at once: 64 KiB; of a shard what its names suggest
 *     the rest of each header                           all at once, exactly; GGUF as its reader asks for more,
 *                                                       PyTorch the end of its zip and what that leads to
 *
 * A path of the copies begins with the private folder, and what follows is the URL that people see: text.h,
 * text_shown().
 */
#ifndef NUMEL_READER_REMOTE_H
#define NUMEL_READER_REMOTE_H

#include "base/memory.h"
#include "source/private.h"

/* remote_url.c: a URL in its parts, each with a NUL behind it.
 *
 *     hf://[models/]ORG/NAME[@REV][/PATH]       REV: a commit, a tag, a branch (its slashes %2F), refs/pr/N,
 *                                               refs/convert/NAME
 *     https://huggingface.co/ORG/NAME[/tree/REV[/PATH]]   also blob, resolve, raw and blame, and hf.co, and
 *                                               the host of HF_ENDPOINT: the same as hf://
 *     https://HOST/PATH                         one file; http:// only for this machine
 */
struct remote_url {
    bool hub;
    numel_str name;    /* "hf://ORG/NAME" or "hf://ORG/NAME@REV"; else the URL without query and fragment */
    numel_str base;    /* "hf://ORG/NAME" */
    numel_str path;    /* below the repository, decoded; "": all of it */
    numel_str request; /* what the host is asked for: encoded */
};
/* Does the path begin with a scheme that is asked of the host? */
bool remote_is(const char *path);
/* USAGE with what is wrong, for a path that remote_is(). Texts are in the arena. */
NUMEL_MUST bool remote_parse(struct remote_url *u, const char *path, const numel_options *, struct arena *,
                             numel_error *);

struct remote_file;
struct remote {
    struct arena arena;
    struct private_folder folder;
    const char *path; /* of the copies: what the URL stands for */
    const char *root; /* of the repository's root */
    const char *url;  /* as the user gave it */
    const char *commit;
    uint64_t read;          /* files */
    uint64_t fetched, kept; /* bytes of them that came over the network, and from a cache */
    struct remote *next;    /* of the owner's, or NULL */
    struct remote_file *files;
    size_t count, cap;
};

/* Makes the copies of a URL. USAGE without a host that reads; NETWORK, IO, CHANGED, LIMIT, FORMAT. */
NUMEL_MUST bool remote_open(struct remote **out, const char *url, const numel_options *, numel_error *);
/* Adds them to a list of the owner's. */
NUMEL_MUST bool remote_add(struct remote **list, const char *url, const numel_options *, numel_error *);
/* Removes them, and those that follow in a list; accepts NULL. */
void remote_close(struct remote *);
/* remote_save.c: writes header-only copies of it to options->save. Errors as for numel_open() and numel_heads_add(). */
NUMEL_MUST bool remote_save(const struct remote *, const numel_options *, numel_error *);
struct listing;
/* Lists the published files of a URL, for a comparison with the folder `root`. Of one file, that file only.
 * Errors as for remote_open(). listing_done() frees it in any case. */
NUMEL_MUST bool remote_listing(struct listing *p, const char *url, const char *root, const numel_options *,
                               struct arena *, numel_error *);
/* USAGE for a remote path, for what reads data; `what` is that, as in "hash". */
NUMEL_MUST bool remote_refuse(const char *path, const char *what, numel_error *);

#endif
