/*
 * embed.h -- what the programs here share: each sees numel.h alone, as a stranger's program does, and is
 * linked with the static and with the shared library.
 */
#ifndef EMBED_H
#define EMBED_H

#include <numel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program when a line does not hold. */
#define EXPECT(holds)                                                                  \
    do                                                                                 \
        if (!(holds)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds); \
            exit(1);                                                                   \
        }                                                                              \
    while (0)

/* A subject of it, judged, which is closed before it. */
static inline numel_subject *judged(const numel_checkpoint *ck, const numel_knowledge *k)
{
    numel_subject *s = NULL;
    EXPECT(numel_subject_of(&s, ck, k, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_subject_judge(s, NULL, NULL) == NUMEL_OK);
    return s;
}

/* The only checkpoint at a path; found is freed with numel_found_free(). */
static inline numel_checkpoint *open_at(const char *path, numel_found **found)
{
    numel_checkpoint *ck = NULL;
    EXPECT(numel_find(found, path, NULL, NULL) == NUMEL_OK);
    EXPECT(numel_open(&ck, *found, 0, NULL, NULL) == NUMEL_OK);
    return ck;
}

#endif
