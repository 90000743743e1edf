/*
 * protocol.h -- what `numel` and `numel-fetch` say to each other.
 *
 * The program that parses checkpoints has no sockets. For a path with a scheme it starts numel-fetch, writes
 * requests to its stdin and reads answers from its stdout; stderr is not used. The environment and the command
 * line hold the configuration (numel-fetch(1)); no token is in an argument or an answer.
 *
 *     list ID URL\n                           the files of a revision, hf://ORG/NAME[@REV], or the one file
 *                                             of an https:// URL
 *     read ID OFFSET LENGTH ETAG URL\n        bytes of hf://ORG/NAME@REV/PATH, or of an https:// URL
 *
 * Words are separated by one blank. Numbers are decimal without leading zeros. ID is the parent's choice, below
 * 2^32; one that is in use must not be used again before its answer. URLs are percent-encoded: they have no
 * blank and no control character, and a slash in REV is %2F (or REV is refs/pr/N or refs/convert/X). The parent
 * may send any number of requests without waiting; it must read answers while it writes. At most --jobs
 * requests use the network at a time; by default twice FETCH_JOBS, and FETCH_JOBS to one host.
 *
 *     ID ok SIZE ETAG CAME LENGTH\n<LENGTH bytes>     answers come in any order
 *     ID kept SIZE ETAG CAME LENGTH\n<LENGTH bytes>   the same, from the cache
 *     ID error KIND LENGTH\n<LENGTH bytes>            a sentence in UTF-8 that says what to do, without its full stop
 *
 * read: SIZE is that of the whole file, "-" if unknown. ETAG identifies the content: the opaque tag of HTTP
 * without W/ and quotes, printable and without blanks, "-" if there is none. A request that has an ETAG is
 * pinned: content with another is the error `changed`, as is a file whose size or ETag changes while
 * numel-fetch runs. LENGTH is that of the request, or less only where the file ends, 0 at its end. A request
 * of 0 bytes asks for SIZE and ETAG. CAME counts the bytes that came over the network for the request, without
 * heads: those of redirects and failures too, and compressed ones as they are.
 *
 * list: SIZE and ETAG are "-", and the bytes are lines:
 *
 *     revision COMMIT\n                       40 hexadecimal digits; "-" for an https:// URL
 *     file SIZE SHA256 ETAG PATH\n            SHA256 where Git LFS or Xet stores the file, else "-"; ETAG as
 *                                             read answers it; PATH percent-encoded but for its slashes
 *
 * A path is relative, and has no empty component, "." or ".."; a server that sends others is an error. Reads
 * that follow should have COMMIT for REV, so that all come from one revision.
 *
 * A child exits with status 2 at a line that is not a request, at once if nobody reads its answers, and with
 * status 0 at the end of stdin, when all is answered. What is not an answer is a protocol error: the parent
 * reports it and kills the child.
 */
#ifndef NUMEL_FETCH_PROTOCOL_H
#define NUMEL_FETCH_PROTOCOL_H

enum {
    FETCH_LINE = 16384,         /* of a request or an answer, with its newline */
    FETCH_ETAG = 200,           /* bytes of an ETAG */
    FETCH_SENTENCE = 1000,      /* bytes of a sentence */
    FETCH_JOBS = 16,            /* to one host, by default */
    FETCH_JOBS_MAX = 256,       /* more are refused */
    FETCH_READ_MAX = 134217728, /* LENGTH of a read: 128 MiB */
    FETCH_LIST_MAX = 67108864,  /* LENGTH of the answer to list: 64 MiB */
    FETCH_FILES_MAX = 1000000   /* files of a revision */
};

#define SIZE_UNKNOWN UINT64_MAX /* "-" */

/* KIND, in the order of enum fetch_kind. */
#define FETCH_KINDS "absent gated denied changed limited offline timeout refused broken"
enum fetch_kind {
    FETCH_ABSENT,  /* no such repository, revision or file */
    FETCH_GATED,   /* its licence has to be accepted */
    FETCH_DENIED,  /* another 401 or 403 */
    FETCH_CHANGED, /* not the pinned content, or the file changed */
    FETCH_LIMITED, /* 429, for longer than it is waited for */
    FETCH_OFFLINE, /* --offline, and it is not in the cache */
    FETCH_TIMEOUT, /* no connection, or a stall, after all retries */
    FETCH_REFUSED, /* a request that is not supported: datasets, http://, too long */
    FETCH_BROKEN   /* the server or the connection broke a rule */
};

#endif
