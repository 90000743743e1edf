/*
 * product.h -- published models and what they read, by id: src/data/products, files NAME.product.
 *
 *     product sdxl ssd-1b segmind-vega       its id, then those of models made from it, which read the same
 *     name SDXL                              as people write it
 *     of stable-diffusion                    it is a size or a successor of this one, and has its names, too
 *     aka stable-diffusion-xl* sdxl*         names in metadata and trainers: globs; letters, digits, / count
 *     repo stabilityai/stable-diffusion-xl*  where it is published, the end of a path: also globs
 *     class UNet2DConditionModel             its classes in libraries: also globs
 *     base SDXL SDXL*                        its bases of adapters (data/adapters): the usual one, then globs
 *     apart                                  its adapters do not fit other products that are `apart`
 *     turned                                 its matrices are stored inputs first; PEFT: fan_in_fan_out
 *     spec UNet2DConditionModel cross_attention_dim=2048     a class, and how it differs from its defaults
 *     reads clip-l longclip-l openclip-l     a text encoder: one of these
 *     reads clip-g                           another text encoder
 *     carries clip-l longclip-l              a text encoder in its single files that it does not use
 *     together                               its text encoders are of use only together
 *     vae sd-vae                             its autoencoder: one of these
 *
 * A spec states which product a file is (`let product`); code compares ids, never text for people. What no
 * line states is unknown.
 */
#ifndef NUMEL_FORMULA_PRODUCT_H
#define NUMEL_FORMULA_PRODUCT_H

#include "formula/spec.h"

/* The lines of a product, and all that follows; n 0 if no product has that id, which may be NULL. */
numel_str product_find(const char *id);
/* What people call the product; n 0 if no product has that id, or it has no name. */
numel_str product_name(const char *id);
/* The products that a name stands for, by lines of one kind ("aka", "repo", "class"): all whose longest
 * matching glob is the longest of all. */
struct product_said {
    const char *kind;
    numel_str text, rest;
    size_t longest;
};
/* False if no product has the name, or if out of memory (see the arena). */
bool product_said(struct product_said *s, struct arena *a, const char *kind, numel_str said);
/* The lines of the next such product. */
bool product_said_next(struct product_said *s, numel_str *lines);
/* True if both are lines of the same product, or one product is `of` the other. */
bool product_akin(numel_str one, numel_str two);
/* True if one of the globs, separated by blanks, matches the name; for a `base` line and similar ones. */
bool product_has(numel_str globs, numel_str name);
/* The first product that has that base of adapters; n 0 if none. */
numel_str product_of_base(const char *name);
/* The product that states what this one reads: itself, or else the nearest that it is `of`. */
numel_str product_reading(const char *id);
/* The next line of that kind in a product, without its first word; advances *lines past it. */
bool product_next(numel_str *lines, const char *kind, numel_str *words);
/* Complains about errors in a file of products. */
void product_lint(const char *file, numel_str text, struct complaints *all);

#endif
