/*
 * transport.h -- HTTP exchanges over connections that are kept, several at a time. Only transport.c knows
 * libcurl.
 *
 * An exchange is one request and its answer. A redirect is an answer: the caller follows it, and decides what to
 * send to which host. A body is kept only with status 200 or 206, up to `most` bytes; if the server sends more, the
 * connection is closed.
 */
#ifndef NUMEL_FETCH_TRANSPORT_H
#define NUMEL_FETCH_TRANSPORT_H

#include "fetch/config.h"

enum exchange_end {
    EXCHANGE_ANSWERED,  /* `status`, `head` and `body` are complete, or `over` */
    EXCHANGE_UNREACHED, /* no address or no connection */
    EXCHANGE_STALLED,   /* too slow, or no answer */
    EXCHANGE_CUT,       /* the connection ended before the answer did, or its end cannot be told */
    EXCHANGE_PROXY,     /* the proxy refused; `status` is its */
    EXCHANGE_UNTRUSTED, /* the server's certificate is not valid, */
    EXCHANGE_EXPIRED,   /* or has expired, */
    EXCHANGE_MISNAMED,  /* or is for another host */
    EXCHANGE_GARBLED,   /* compressed bytes that cannot be unpacked */
    EXCHANGE_BROKEN     /* not HTTP, or too long a head */
};

/* The headers that are kept; transport.c has their names. */
enum exchange_head {
    HEAD_CONTENT_ENCODING,
    HEAD_CONTENT_LENGTH,
    HEAD_CONTENT_RANGE,
    HEAD_CONTENT_TYPE,
    HEAD_ETAG,
    HEAD_LINK,
    HEAD_RATELIMIT,
    HEAD_ERROR_CODE,
    HEAD_ERROR_MESSAGE,
    HEAD_LINKED_ETAG,
    HEAD_LINKED_SIZE,
    HEAD_TRANSFER_ENCODING,
    HEAD_COUNT
};

struct exchange {
    /* The request; its texts have to outlive the exchange. */
    const char *url;
    const char *token;         /* NULL: no Authorization */
    const char *if_range;      /* an ETag with its quotes, or NULL */
    const char *if_none_match; /* the same */
    bool ranged;               /* else the whole, which may come compressed: `body` is unpacked */
    uint64_t first, last;      /* inclusive */
    uint64_t most;             /* bytes of the body that are kept */
    void *owner;               /* the caller's */

    /* The answer. */
    enum exchange_end end;
    long status;
    numel_str head[HEAD_COUNT]; /* empty if absent, or unfit to be read */
    const char *redirect;       /* the absolute URL of Location; NULL: none */
    uint64_t wait;              /* seconds of Retry-After; 0: none */
    uint64_t came;              /* bytes of the body on the network, in any case */
    struct buffer body;
    bool over; /* there was more than `most` */

    struct arena arena;
    struct transport_private *private;
};

struct transport;

/* NULL without memory, or if libcurl cannot start. */
NUMEL_MUST struct transport *transport_open(const struct config *c);
void transport_close(struct transport *t);

/* An exchange whose request is still to be filled; NULL without memory. */
NUMEL_MUST struct exchange *exchange_new(void);
void exchange_free(struct transport *t, struct exchange *x); /* also one in flight; NULL is accepted */
NUMEL_MUST bool transport_send(struct transport *t, struct exchange *x);
/* The next exchange that has ended; NULL: none has. */
struct exchange *transport_next(struct transport *t);
/* Waits until something happens on a connection, `in` can be read (-1: it is not asked), `out` can be written (-1),
 * or the time is over. */
void transport_wait(struct transport *t, int in, int out, unsigned milliseconds);

#endif
