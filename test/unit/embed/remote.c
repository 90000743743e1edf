/*
 * remote.c -- a host that lends the library a network: a repository of two files in memory, listed and read by
 * ranges. What is shown has the URL; without the two functions, or with a file that changes, there is an error.
 */
#include "embed.h"

static const char config[] = "{\"model_type\": \"none\"}";
/* 8 bytes of length, 74 of header, and 16 of data: F32 [4] */
static const char weights[] =
    "\x4a\0\0\0\0\0\0\0"
    "{\"a.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}            "
    "0123456789abcdef";

struct network {
    uint64_t asked, changed;
};

static numel_rc list(void *ctx, const char *url, numel_remote_file_fn *file, void *file_ctx, numel_error *e)
{
    numel_remote_file f = NUMEL_INIT(numel_remote_file);
    (void)ctx, (void)e;
    EXPECT(strcmp(url, "hf://org/model") == 0);
    f.path = "config.json", f.bytes = sizeof config - 1;
    EXPECT(file(file_ctx, "c0ffee", &f));
    f.path = "model.safetensors", f.bytes = sizeof weights - 1;
    EXPECT(file(file_ctx, "c0ffee", &f));
    return NUMEL_OK;
}

static numel_rc read_ranges(void *ctx, numel_range *ranges, size_t n, numel_error *e)
{
    struct network *net = ctx;
    (void)e;
    for (size_t i = 0; i < n; i++) {
        numel_range *r = &ranges[i];
        bool is_config = strcmp(r->url, "hf://org/model@c0ffee/config.json") == 0;
        const char *all = is_config ? config : weights;
        uint64_t bytes = is_config ? sizeof config - 1 : sizeof weights - 1;
        EXPECT(is_config || strcmp(r->url, "hf://org/model@c0ffee/model.safetensors") == 0);
        EXPECT(r->offset <= bytes);
        r->got = r->length < bytes - r->offset ? r->length : bytes - r->offset;
        memcpy(r->bytes, all + r->offset, (size_t)r->got);
        r->whole = bytes + net->changed;
        strcpy(r->etag, "one");
        net->asked++;
    }
    return NUMEL_OK;
}

static bool to_text(void *ctx, const void *p, size_t bytes)
{
    char *out = ctx;
    size_t n = strlen(out);
    if (n + bytes < 4096) memcpy(out + n, p, bytes), out[n + bytes] = 0;
    return true;
}

static void show(const numel_options *options)
{
    char text[4096] = "";
    numel_subject *s;
    numel_report *r;
    numel_error e;
    const numel_checkpoint *ck;
    EXPECT(numel_subject_open(&s, "hf://org/model", NULL, options, &e) == NUMEL_OK);
    EXPECT(numel_subject_checkpoint(s, &ck, &e) == NUMEL_OK);
    EXPECT(numel_tensor_count(ck) == 1 && numel_file_count(ck) == 1);
    EXPECT(strcmp(numel_file_at(ck, 0)->path, "hf://org/model/model.safetensors") == 0);
    EXPECT(numel_file_at(ck, 0)->bytes == sizeof weights - 1 &&
           numel_file_at(ck, 0)->data == NUMEL_DATA_ABSENT);
    EXPECT(numel_report_show(&r, s, NULL, &e) == NUMEL_OK);
    EXPECT(numel_report_write(r, NULL, to_text, text, &e) == NUMEL_OK);
    EXPECT(strstr(text, "hf://org/model/model.safetensors\n") == text && !strstr(text, "/tmp"));
    EXPECT(strstr(text, "elements      4\n"));
    numel_report_free(r);
    numel_subject_close(s);
}

int main(void)
{
    struct network net = { 0, 0 };
    numel_options options = NUMEL_INIT(numel_options);
    numel_found *found;
    numel_error e;
    options.read = read_ranges;
    options.list = list;
    options.remote_ctx = &net;
    show(&options);
    EXPECT(net.asked == 2);
    net.changed = 1;
    EXPECT(numel_find(&found, "hf://org/model", &options, &e) == NUMEL_E_CHANGED && !found);
    EXPECT(numel_find(&found, "hf://org/model", NULL, &e) == NUMEL_E_USAGE && !found);
    EXPECT(numel_find(&found, "none/at/all", &options, &e) == NUMEL_OK); /* a path: opening it fails */
    numel_found_free(found);
    EXPECT(net.asked == 3);
    return 0;
}
