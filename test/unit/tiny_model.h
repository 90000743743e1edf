/* tiny_model.h -- the smallest folder that is a checkpoint: a one-layer llama with only its embeddings. */
#ifndef NUMEL_TEST_TINY_MODEL_H
#define NUMEL_TEST_TINY_MODEL_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

/* false if it cannot be written */
static inline bool make_model(const char *dir)
{
    static const char header[] = "{\"model.embed_tokens.weight\":{\"dtype\":\"F32\",\"shape\":[4,4],"
                                 "\"data_offsets\":[0,64]}}         ";
    static const char config[] =
        "{\"model_type\":\"llama\",\"architectures\":[\"LlamaModel\"],\"hidden_size\":4,"
        "\"vocab_size\":4,\"num_hidden_layers\":1,\"num_attention_heads\":1,"
        "\"intermediate_size\":4}";
    unsigned char length[8] = { sizeof header - 1 };
    float data[16] = { 1, 2, 3 };
    char path[200];
    if (mkdir(dir, 0700) != 0) return false;
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    FILE *f = fopen(path, "wb");
    fwrite(length, 1, 8, f);
    fwrite(header, 1, sizeof header - 1, f);
    fwrite(data, 1, sizeof data, f);
    fclose(f);
    snprintf(path, sizeof path, "%s/config.json", dir);
    f = fopen(path, "w");
    fputs(config, f);
    return fclose(f) == 0;
}

#endif
