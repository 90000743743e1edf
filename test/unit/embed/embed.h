/*
 * embed.h -- shared by the programs here. Like any other user's program, each includes only numel.h; each
 * is linked with the static and with the shared library.
 */
#ifndef EMBED_H
#define EMBED_H

#include <numel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if the condition is false. */
#define EXPECT(holds)                                                                  \
    do                                                                                 \
        if (!(holds)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds); \
            exit(1);                                                                   \
        }                                                                              \
    while (0)

/* A judged subject of the checkpoint; close it before the checkpoint. */
static inline numel_subject *judged(const numel_checkpoint *ck, const numel_knowledge *k)
{
    numel_subject *s = NULL;
    EXPECT(numel_subject_of(&s, ck, k, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_subject_judge(s, NULL, NULL) == NUMEL_OK);
    return s;
}

/* The only checkpoint at a path; the caller frees found with numel_found_free(). */
static inline numel_checkpoint *open_at(const char *path, numel_found **found)
{
    numel_checkpoint *ck = NULL;
    EXPECT(numel_find(found, path, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_open(&ck, *found, 0, NULL, NULL) == NUMEL_OK);
    return ck;
}

#endif
