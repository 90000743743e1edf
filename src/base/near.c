/* near.c -- guesses the word that a user meant, by the letters in which two words differ. */
#include <numel.h>

#include <string.h>

enum { LONGEST = 31 };

/* The number of letters to change, add, remove, or swap with the next. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1], n = strlen(b);
    if (strlen(a) > LONGEST || n > LONGEST) return NUMEL_FAR;
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++) before[j] = last[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (last[j] + 1 < best) best = last[j] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            row[j] = best;
        }
        size_t *free_row = before;
        before = last, last = row, row = free_row;
    }
    return last[n];
}

/* A short word is near few others: with one letter changed, "ls" is another word. */
static bool is_near(size_t d, const char *word)
{
    size_t n = strlen(word);
    return d <= (n < 4 ? 1 : 2) && d < n;
}

/* True if one word begins with the other, and that has at least three letters. */
static bool is_beginning(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    return least >= 3 && strncmp(a, b, least) == 0;
}

size_t numel_nearness(const char *word, const char *other)
{
    size_t d = distance(word, other);
    if (is_near(d, word)) return d;
    return is_beginning(word, other) ? LONGEST : NUMEL_FAR;
}
