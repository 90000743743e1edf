/*
 * product.h -- what is published, by id, and what it reads: src/data/products, files NAME.product.
 *
 *     product sdxl ssd-1b segmind-vega       its id, and those of models made of it, which read the same
 *     name SDXL                              as people write it
 *     aka stable-diffusion-xl*               what metadata call it: globs, in lower case
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
/* Those of the product that it is said to be: by the longest glob that fits. */
numel_str product_said(numel_str said);
/* The next line of that kind in a product, moved past; without its first word. */
bool product_next(numel_str *lines, const char *kind, numel_str *words);
/* What is wrong with a file of products. */
void product_lint(const char *file, numel_str text, struct complaints *all);

#endif
