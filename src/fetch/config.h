/*
 * config.h -- the command line and the environment, read once.
 *
 * The variables are those of huggingface_hub, with its meanings: HF_ENDPOINT, HF_TOKEN, HF_TOKEN_PATH, HF_HOME,
 * HF_HUB_OFFLINE, HF_HUB_DISABLE_IMPLICIT_TOKEN, HF_HUB_ETAG_TIMEOUT, HF_HUB_DOWNLOAD_TIMEOUT; those of OpenSSL,
 * SSL_CERT_FILE and SSL_CERT_DIR; libcurl reads the proxies itself.
 */
#ifndef NUMEL_FETCH_CONFIG_H
#define NUMEL_FETCH_CONFIG_H

#include "base/buffer.h"

#define CONFIG_AGENT "numel-fetch/1" /* the User-Agent; the number is that of the protocol */

struct config {
    struct arena arena; /* owns the texts */
    numel_str endpoint; /* of the Hub, without a slash at its end */
    const char *token;  /* NULL: none. Sent to the endpoint's origin only */
    const char *cache;  /* the folder; NULL: none */
    const char *ca_file, *ca_path;
    const char *problem;   /* a sentence: why the Hub cannot be asked; NULL if it can */
    uint64_t jobs;         /* requests that use the network at a time, */
    uint64_t per_host;     /* and those of them to one host */
    uint64_t connect, low; /* seconds until a connection or a transfer counts as stalled */
    bool offline, help, version;
};

/* False for a wrong argument, or without memory. End with config_done() either way. */
NUMEL_MUST bool config_read(struct config *c, int argc, char **argv);
void config_done(struct config *c);

#endif
