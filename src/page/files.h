/*
 * files.h -- the style and the script of a page: page.css, page_*.js and page.js of this room, which the build embeds
 * (src/data/derive/page.c), with their SHA-256 in base64.
 */
#ifndef NUMEL_PAGE_FILES_H
#define NUMEL_PAGE_FILES_H

extern const char page_style[], page_style_sha256[];
extern const char page_script[], page_script_sha256[];

#endif
