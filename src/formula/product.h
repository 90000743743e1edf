/*
 * product.h -- what is published, by id, and what it reads: src/data/products, files NAME.product.
 *
 *     product sdxl ssd-1b segmind-vega       its id, and those of models made of it, which read the same
 *     name SDXL                              as people write it
 *     of stable-diffusion                    a size or a successor of it; it has its names, too
 *     aka stable-diffusion-xl* sdxl*         what metadata and trainers call it: globs, of which letters, digits and / count
 *     repo stabilityai/stable-diffusion-xl*  where it is published, the end of a path; globs likewise
 *     class UNet2DConditionModel             the classes that libraries have for it; likewise
 *     base SDXL SDXL*                        the bases of adapters that belong to it (src/data/adapters): the usual one, and globs of all
 *     apart                                  what adds to it does not add to others that say this
 *     turned                                 its matrices are stored inputs first, which PEFT calls fan_in_fan_out
 *     spec UNet2DConditionModel cross_attention_dim=2048     a class, and how its configuration differs from the defaults
 *     reads clip-l longclip-l openclip-l     a text encoder: one of these
 *     reads clip-g                           and another
 *     together                               none of them is of use without the others
 *     vae sd-vae                             its autoencoder: one of these
 *
 * A specification says which one a file is (`let product`); code compares ids, never words that are shown. What no line says is unknown.
 */
#ifndef NUMEL_FORMULA_PRODUCT_H
#define NUMEL_FORMULA_PRODUCT_H

#include "formula/spec.h"

/* The lines of a product, and whatever follows; n 0: there is none of that id, which may be NULL. */
numel_str product_find(const char *id);
/* What others call a product, in lines of one kind ("aka", "repo", "class"): it is each whose longest glob that fits is the longest
 * of all. */
struct product_said {
    const char *kind;
    numel_str text, rest;
    size_t longest;
};
/* False: no product is called so, or there is no memory, as the arena says. */
bool product_said(struct product_said *s, struct arena *a, const char *kind, numel_str said);
/* The lines of the next of them. */
bool product_said_next(struct product_said *s, numel_str *lines);
/* Are they of the same product, or is one of them of the other? */
bool product_akin(numel_str one, numel_str two);
/* Does one of the globs, words between blanks, fit the name: of a line `base`, or the like? */
bool product_has(numel_str globs, numel_str name);
/* The first product that adapters of that base are of; n 0: none. */
numel_str product_of_base(const char *name);
/* The same, of which it says what it reads: of the one that it is `of` where it says nothing. */
numel_str product_reading(const char *id);
/* The next line of that kind in a product, moved past; without its first word. */
bool product_next(numel_str *lines, const char *kind, numel_str *words);
/* What is wrong with a file of products. */
void product_lint(const char *file, numel_str text, struct complaints *all);

#endif
