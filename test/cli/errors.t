# Errors: one sentence, file, offset, both numbers; other inputs are still processed; the status reports it.
$ cd $T; numel none; numel none.safetensors fifo
numel: none: cannot open: No such file or directory
numel: none.safetensors: cannot open: No such file or directory
numel: fifo: cannot open: No such file or directory
[3]
$ cd $T; mkfifo fifo; numel fifo; mkdir dir; numel dir; numel /dev/null
numel: fifo: is a pipe without a writer
numel: dir: no .safetensors or .gguf files found in this folder (pickles, .bin and .pt, are not read)
numel: /dev/null: is a character device
[3]
$ numel fixtures/gpt2 $T/none -q 2>&1 | sed "s:$T:T:"
numel: T/none: cannot open: No such file or directory
137022720
$ numel; true
numel shows what is in a model checkpoint: safetensors and GGUF, headers only.

  $ numel model/                     what it is and how large, folded by layer
  $ numel model-00001-of-00004.safetensors   any shard of a set
  $ numel model.gguf --json | jq .counts     exact integers for programs

usage: numel [COMMAND] [OPTIONS] PATH...

  show         what it is, and its elements, folded by layer
  browse       the tree to walk through on a terminal, with sizes and statement
  list         every checkpoint in folders of any depth, one per line
  tensors      one line per tensor: name, type, shape, elements, bytes, offset
  meta         metadata and configuration; long arrays abbreviated
  formula      what should be stored, from the configuration alone
  reconcile    formula + named causes = file, with zero in the last line
  explain      which way of counting gives a number
  diff         what changed between two checkpoints, or a model and a printout
  verify       whether a download is complete and what it claims to be
  memory       memory to run it: weights, cache, the longest context that fits
  print        the module tree as print(model) shows it, from the file alone
  hash         SHA-256 of files, tensors and models, as a manifest
  identify     one line per file: what it is
  behead       header-only copies: 140 GB in some 30 KB; also export-headers
  spec         the known architectures and layouts
  completions  completion scripts for bash, zsh and fish

'numel COMMAND --help' shows examples and options; numel(1) has the rest.
exit status: 0 consistent, 1 something was found, 2 usage, 3 unreadable, 4 not
all of it could be checked, 5 some of many failed
$ numel shwo
numel: no command and no file 'shwo'; did you mean 'numel show'?
[2]
$ numel show
usage: numel show PATH...
[2]
$ numel show --dept 3 fixtures/gpt2
numel show: no option '--dept'; did you mean '--depth'?
[2]
$ numel show --depth 0 fixtures/gpt2
numel show: --depth takes a whole number from 1 to 1000, not '0'
[2]
$ numel tensors --by file fixtures/gpt2
numel tensors: no option '--by'; it belongs to 'numel show'
[2]
$ cd $T; hex "$OLDPWD/fixtures/bad/gguf/OVERFLOW@69--product-wraps-to-0-f32.hex" > w.gguf; numel w.gguf
numel: w.gguf:69: tensor 'a': the elements of shape [4294967296, 4294967296] do not fit in 63 bits
[3]
$ cd $T; for f in "$OLDPWD"/fixtures/bad/safetensors/*; do hex "$f" > a.safetensors; echo "== ${f##*/}"; numel -q a.safetensors; done
== DUPLICATE@27--dtype.hex
numel: a.safetensors:27: tensor 'a': duplicate field dtype
== DUPLICATE@34--metadata.hex
numel: a.safetensors:34: duplicate field __metadata__
== DUPLICATE@39--shape.hex
numel: a.safetensors:39: tensor 'a': duplicate field shape
== DUPLICATE@60--data-offsets.hex
numel: a.safetensors:60: tensor 'a': duplicate field data_offsets
== DUPLICATE@61--name-once-escaped.hex
numel: a.safetensors:61: tensor 'a' occurs twice: at 9 and at 61
== DUPLICATE@61--name.hex
numel: a.safetensors:61: tensor 'a' occurs twice: at 9 and at 61
== LIMIT@0--length-2-64-minus-1.hex
numel: a.safetensors:0: the header says it has 18446744073709551615 bytes, the limit is 100000000 (--max-header raises it)
== LIMIT@0--length-enormous.hex
numel: a.safetensors:0: the header says it has 18446462598732841020 bytes, the limit is 100000000 (--max-header raises it)
== LIMIT@0--length-over-the-limit.hex
numel: a.safetensors:0: the header says it has 100000001 bytes, the limit is 100000000 (--max-header raises it)
== LIMIT@189--nested-128.hex
numel: a.safetensors:189: tensor 'a': nested deeper than 127
== OVERFLOW@9--bits-u8.hex
numel: a.safetensors:9: tensor 'a': the bits of shape [2305843009213693952] do not fit in 64 bits
== OVERFLOW@9--bits.hex
numel: a.safetensors:9: tensor 'a': the bits of shape [1152921504606846976] do not fit in 64 bits
== OVERFLOW@9--elements-then-zero.hex
numel: a.safetensors:9: tensor 'a': the elements of shape [9223372036854775808, 9223372036854775808, 0] do not fit in 64 bits
== OVERFLOW@9--elements-to-small.hex
numel: a.safetensors:9: tensor 'a': the elements of shape [4294967296, 4294967296, 4] do not fit in 64 bits
== OVERFLOW@9--elements.hex
numel: a.safetensors:9: tensor 'a': the elements of shape [4294967296, 4294967296] do not fit in 64 bits
== RANGE@9--offsets-past-any-file.hex
numel: a.safetensors:9: tensor 'a': data_offsets reach 18446744073709551615, past any file
== SYNTAX@10--metadata-save-bug.hex
numel: a.safetensors:10: expected the end of the JSON text, found ','
== SYNTAX@10--nul-padding.hex
numel: a.safetensors:10: expected the end of the JSON text, found '\x00'
== SYNTAX@10--two-documents.hex
numel: a.safetensors:10: expected the end of the JSON text, found '{'
== SYNTAX@11--control-character.hex
numel: a.safetensors:11: control character 0x0a in a string
== SYNTAX@11--escape-cut.hex
numel: a.safetensors:11: invalid escape in a string
== SYNTAX@11--escape-unknown.hex
numel: a.safetensors:11: invalid escape in a string
== SYNTAX@11--lone-surrogate.hex
numel: a.safetensors:11: invalid escape in a string
== SYNTAX@11--low-surrogate.hex
numel: a.safetensors:11: invalid escape in a string
== SYNTAX@11--string-does-not-end.hex
numel: a.safetensors:11: the JSON text ends inside a string
== SYNTAX@12--colon-missing.hex
numel: a.safetensors:12: expected ':', found '{'
== SYNTAX@13--entry-array-long.hex
numel: a.safetensors:13: tensor 'a': the array does not have three items
== SYNTAX@13--entry-array-short.hex
numel: a.safetensors:13: tensor 'a': the array does not have three items
== SYNTAX@13--entry-null.hex
numel: a.safetensors:13: tensor 'a': expected '{', found 'n'
== SYNTAX@13--entry-number.hex
numel: a.safetensors:13: tensor 'a': expected '{', found '1'
== SYNTAX@13--entry-string.hex
numel: a.safetensors:13: tensor 'a': expected '{', found '"'
== SYNTAX@13--missing-dtype.hex
numel: a.safetensors:13: tensor 'a': missing field dtype
== SYNTAX@13--missing-offsets.hex
numel: a.safetensors:13: tensor 'a': missing field data_offsets
== SYNTAX@13--missing-shape.hex
numel: a.safetensors:13: tensor 'a': missing field shape
== SYNTAX@22--dtype-null.hex
numel: a.safetensors:22: tensor 'a': expected a string, found 'n'
== SYNTAX@22--dtype-number.hex
numel: a.safetensors:22: tensor 'a': expected a string, found '8'
== SYNTAX@24--metadata-is-list.hex
numel: a.safetensors:24: expected '{', found '['
== SYNTAX@24--metadata-string.hex
numel: a.safetensors:24: expected '{', found '"'
== SYNTAX@26--comma-missing.hex
numel: a.safetensors:26: tensor 'a': expected ',' or '}', found '"'
== SYNTAX@29--metadata-bool.hex
numel: a.safetensors:29: expected a string, found 't'
== SYNTAX@29--metadata-int.hex
numel: a.safetensors:29: expected a string, found '1'
== SYNTAX@29--metadata-list.hex
numel: a.safetensors:29: expected a string, found '['
== SYNTAX@29--metadata-map.hex
numel: a.safetensors:29: expected a string, found '{'
== SYNTAX@29--metadata-value-null.hex
numel: a.safetensors:29: expected a string, found 'n'
== SYNTAX@35--shape-is-null.hex
numel: a.safetensors:35: tensor 'a': expected '[', found 'n'
== SYNTAX@35--shape-object.hex
numel: a.safetensors:35: tensor 'a': expected '[', found '{'
== SYNTAX@36--shape-exponent.hex
numel: a.safetensors:36: tensor 'a': a dimension is not an integer
== SYNTAX@36--shape-float.hex
numel: a.safetensors:36: tensor 'a': a dimension is not an integer
== SYNTAX@36--shape-leading-zero.hex
numel: a.safetensors:36: tensor 'a': a dimension has a leading zero
== SYNTAX@36--shape-minus-zero.hex
numel: a.safetensors:36: tensor 'a': expected a dimension, found '-'
== SYNTAX@36--shape-negative.hex
numel: a.safetensors:36: tensor 'a': expected a dimension, found '-'
== SYNTAX@36--shape-nested.hex
numel: a.safetensors:36: tensor 'a': expected a dimension, found '['
== SYNTAX@36--shape-null.hex
numel: a.safetensors:36: tensor 'a': expected a dimension, found 'n'
== SYNTAX@36--shape-string.hex
numel: a.safetensors:36: tensor 'a': expected a dimension, found '"'
== SYNTAX@36--shape-too-large.hex
numel: a.safetensors:36: tensor 'a': a dimension does not fit in 64 bits
== SYNTAX@38--trailing-comma-in-shape.hex
numel: a.safetensors:38: tensor 'a': expected a dimension, found ']'
== SYNTAX@54--offsets-empty.hex
numel: a.safetensors:54: tensor 'a': data_offsets must be two numbers
== SYNTAX@54--offsets-object.hex
numel: a.safetensors:54: tensor 'a': expected '[', found '{'
== SYNTAX@54--offsets-one.hex
numel: a.safetensors:54: tensor 'a': data_offsets must be two numbers
== SYNTAX@54--offsets-three.hex
numel: a.safetensors:54: tensor 'a': data_offsets must be two numbers
== SYNTAX@55--offsets-negative.hex
numel: a.safetensors:55: tensor 'a': expected a data offset, found '-'
== SYNTAX@57--offsets-float.hex
numel: a.safetensors:57: tensor 'a': a data offset is not an integer
== SYNTAX@57--offsets-string.hex
numel: a.safetensors:57: tensor 'a': expected a data offset, found '"'
== SYNTAX@61--trailing-comma.hex
numel: a.safetensors:61: expected a string, found '}'
== SYNTAX@64--extra-leading-zero.hex
numel: a.safetensors:64: tensor 'a': a number has a leading zero
== SYNTAX@64--word-unknown.hex
numel: a.safetensors:64: tensor 'a': expected a JSON value, found 'n'
== SYNTAX@8--bom.hex
numel: a.safetensors:8: expected '{', found '\ufeff'
== SYNTAX@8--length-zero.hex
numel: a.safetensors:8: expected '{', the JSON text ends
== SYNTAX@8--top-level-array.hex
numel: a.safetensors:8: expected '{', found '['
== SYNTAX@8--top-level-null.hex
numel: a.safetensors:8: expected '{', found 'n'
== SYNTAX@9--comment.hex
numel: a.safetensors:9: expected a string, found '/'
== SYNTAX@9--key-number.hex
numel: a.safetensors:9: expected a string, found '1'
== SYNTAX@9--key-unquoted.hex
numel: a.safetensors:9: expected a string, found 'a'
== SYNTAX@9--not-json.hex
numel: a.safetensors:9: expected a string, the JSON text ends
== SYNTAX@9--single-quotes.hex
numel: a.safetensors:9: expected a string, found '''
== TRUNCATED@0--header-one-byte-short.hex
numel: a.safetensors:0: the header says it has 3 bytes, 2 follow
== TRUNCATED@0--length-and-no-header.hex
numel: a.safetensors:0: the header says it has 60 bytes, 0 follow
== TRUNCATED@0--length-at-the-limit.hex
numel: a.safetensors:0: the header says it has 100000000 bytes, 2 follow
== TRUNCATED@0--one-byte.hex
numel: a.safetensors:0: the file has only 1 of the first 8 bytes of a checkpoint
== TRUNCATED@0--seven-bytes.hex
numel: a.safetensors:0: the file has only 7 of the first 8 bytes of a checkpoint
== UTF8@11--name-broken.hex
numel: a.safetensors:11: byte 0xff is not UTF-8
== UTF8@11--name-cut-short.hex
numel: a.safetensors:11: byte 0xe2 is not UTF-8
== UTF8@11--name-overlong.hex
numel: a.safetensors:11: byte 0xc0 is not UTF-8
== UTF8@11--name-surrogate.hex
numel: a.safetensors:11: byte 0xed is not UTF-8
== UTF8@13--between-values.hex
numel: a.safetensors:13: tensor 'a': byte 0xff is not UTF-8
== UTF8@30--metadata-broken.hex
numel: a.safetensors:30: byte 0xfe is not UTF-8
== data-missing@117--last-tensor-gone.hex
numel: a.safetensors:117: b: 4 bytes short: tensor 'b' ends at 121, the file at 117
8
== data-missing@61--all-of-it.hex
numel: a.safetensors:61: a: 4 bytes short: tensor 'a' ends at 65, the file at 61
4
== data-missing@64--one-byte-short.hex
numel: a.safetensors:64: a: 1 bytes short: tensor 'a' ends at 65, the file at 64
4
== data-missing@89--terabytes.hex
numel: a.safetensors:89: a: 1,099,511,627,772 bytes short: tensor 'a' ends at 1099511627861, the file at 89
1099511627776
== number-beyond@64--digits.hex
numel: a.safetensors:64: a number is too large for a double: the reference implementation refuses the header
1
== number-beyond@96--in-extra.hex
numel: a.safetensors:96: a number is too large for a double: the reference implementation refuses the header
1
== offset-hole@61--in-the-middle.hex
numel: a.safetensors:61: b: data_offsets begin at 3, but the previous data ends at 1
2
== offset-hole@61--zero-sized-tensor-beyond.hex
numel: a.safetensors:61: e: data_offsets begin at 4, but the previous data ends at 2
numel: a.safetensors:115: 2 bytes follow the last tensor: it ends at 115, the file at 117
2
== offset-hole@9--at-start.hex
numel: a.safetensors:9: a: data_offsets begin at 1, but the previous data ends at 0
1
== offset-overlap@61--by-one-byte.hex
numel: a.safetensors:61: b: data_offsets begin at 1, but the previous data ends at 2
4
== offset-overlap@61--same-range.hex
numel: a.safetensors:61: b: data_offsets begin at 0, but the previous data ends at 4
8
== offset-overlap@61--zero-sized-inside.hex
numel: a.safetensors:61: e: data_offsets begin at 1, but the previous data ends at 4
4
== offset-reversed@61--end-before-begin.hex
numel: a.safetensors:61: b: data_offsets begin at 4 and end before, at 3
numel: a.safetensors:61: b: data_offsets span 0 bytes, shape [1] of U8 needs 1
5
== size-misaligned@9--f4-odd.hex
numel: a.safetensors:9: a: 3 elements of F4 are not a whole number of bytes
3
== size-misaligned@9--f6-1-of-4.hex
numel: a.safetensors:9: a: 1 elements of F6_E2M3 are not a whole number of bytes
1
== size-misaligned@9--f6-2-of-4.hex
numel: a.safetensors:9: a: 2 elements of F6_E2M3 are not a whole number of bytes
2
== size-misaligned@9--f6-3-of-4.hex
numel: a.safetensors:9: a: 3 elements of F6_E3M2 are not a whole number of bytes
3
== size-mismatch@9--empty-with-bytes.hex
numel: a.safetensors:9: a: data_offsets span 4 bytes, shape [0] of F32 needs 0
0
== size-mismatch@9--f4-shape-of-bytes.hex
numel: a.safetensors:9: a: data_offsets span 4 bytes, shape [4] of F4 needs 2
4
== size-mismatch@9--range-too-large.hex
numel: a.safetensors:9: a: data_offsets span 12 bytes, shape [2] of F32 needs 8
2
== size-mismatch@9--range-too-small.hex
numel: a.safetensors:9: a: data_offsets span 4 bytes, shape [2] of F32 needs 8
2
== size-mismatch@9--scalar-of-no-bytes.hex
numel: a.safetensors:9: a: data_offsets span 0 bytes, shape [] of F32 needs 4
1
== trailing-bytes-refused@10--after-empty-map.hex
numel: a.safetensors:10: 1 bytes follow the last tensor: it ends at 10, the file at 11
0
== trailing-bytes-refused@62--polyglot-zip.hex
numel: a.safetensors:62: 22 bytes follow the last tensor: it ends at 62, the file at 84
1
== trailing-bytes-refused@65--one-byte.hex
numel: a.safetensors:65: 1 bytes follow the last tensor: it ends at 65, the file at 66
4
== type-unknown@9--E8M0.hex
numel: a.safetensors:9: a: dtype 'E8M0' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
== type-unknown@9--FP4.hex
numel: a.safetensors:9: a: dtype 'FP4' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
== type-unknown@9--I4.hex
numel: a.safetensors:9: a: dtype 'I4' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
== type-unknown@9--UE8.hex
numel: a.safetensors:9: a: dtype 'UE8' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
== type-unknown@9--empty-name.hex
numel: a.safetensors:9: a: dtype '' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
== type-unknown@9--f32.hex
numel: a.safetensors:9: a: dtype 'f32' is not one of the format's 22; 4 elements counted, bytes taken from data_offsets
4
[1]
$ cd $T; for f in "$OLDPWD"/fixtures/bad/gguf/*; do hex "$f" > a.gguf; echo "== ${f##*/}"; numel -q a.gguf; done
== DUPLICATE@110--tensor-name.hex
numel: a.gguf:110: tensor 'my_tensor': occurs twice: at 69 and at 110
== FORMAT@0--swapped-magic-little-endian.hex
numel: a.gguf:0: is a GGUF file with its magic reversed and a version that does not match: it was written by a broken converter: download it again
== LIMIT@130--array-nested-100.hex
numel: a.gguf:130: key 'k': arrays nested deeper than 4
== OVERFLOW@69--bytes-f32.hex
numel: a.gguf:69: tensor 'a': the bytes of shape [4611686018427387904] do not fit in 64 bits
== OVERFLOW@69--bytes-i64.hex
numel: a.gguf:69: tensor 'a': the bytes of shape [1533661722, 1533661722] do not fit in 64 bits
== OVERFLOW@69--largest-dims.hex
numel: a.gguf:69: tensor 'a': the elements of shape [9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807] do not fit in 63 bits
== OVERFLOW@69--product-2-63.hex
numel: a.gguf:69: tensor 'a': the elements of shape [2147483648, 4294967296] do not fit in 63 bits
== OVERFLOW@69--product-4-int32-max.hex
numel: a.gguf:69: tensor 'a': the elements of shape [8589934588, 8589934588] do not fit in 63 bits
== OVERFLOW@69--product-negative-i8.hex
numel: a.gguf:69: tensor 'a': the elements of shape [2147483648, 8589934591] do not fit in 63 bits
== OVERFLOW@69--product-wraps-to-0-f32.hex
numel: a.gguf:69: tensor 'a': the elements of shape [4294967296, 4294967296] do not fit in 63 bits
== OVERFLOW@69--product-wraps-to-0-q4-K.hex
numel: a.gguf:69: tensor 'a': the elements of shape [4294967296, 4294967296] do not fit in 63 bits
== OVERFLOW@69--product-wraps-to-0-three.hex
numel: a.gguf:69: tensor 'a': the elements of shape [4, 2147483648, 2147483648] do not fit in 63 bits
== OVERFLOW@69--product-wraps-to-4.hex
numel: a.gguf:69: tensor 'a': the elements of shape [211106198978564, 4194305, 4194305] do not fit in 63 bits
== OVERFLOW@69--product-wraps-to-small.hex
numel: a.gguf:69: tensor 'a': the elements of shape [4294967297, 4294967296] do not fit in 63 bits
== RANGE@24--key-empty.hex
numel: a.gguf:24: a key is empty
== RANGE@33--value-type-13.hex
numel: a.gguf:33: key 'k': value type 13 is not 0 to 12
== RANGE@33--value-type-minus-1.hex
numel: a.gguf:33: key 'k': value type 4294967295 is not 0 to 12
== RANGE@37--array-type-13.hex
numel: a.gguf:37: key 'k': array element type 13 is not 0 to 12
== RANGE@69--alignment-0.hex
numel: a.gguf:69: general.alignment is 0: neither a power of two nor a multiple of 8
== RANGE@69--alignment-12.hex
numel: a.gguf:69: general.alignment is 12: neither a power of two nor a multiple of 8
== RANGE@69--alignment-13-tensors.hex
numel: a.gguf:69: general.alignment is 13: neither a power of two nor a multiple of 8
== RANGE@69--alignment-13.hex
numel: a.gguf:69: general.alignment is 13: neither a power of two nor a multiple of 8
== RANGE@69--ends-past-2-63.hex
numel: a.gguf:69: tensor 'a': offset 0 and 9223372036854775744 bytes reach past any file
== RANGE@69--mem-size-overflow.hex
numel: a.gguf:69: tensor 'a': offset 0 and 9223372036854775744 bytes reach past any file
== RANGE@69--offset-minus-1.hex
numel: a.gguf:69: tensor 'a': offset 18446744073709551615 and 4 bytes reach past any file
== RANGE@69--offset-minus-32.hex
numel: a.gguf:69: tensor 'a': offset 18446744073709551584 and 4 bytes reach past any file
== RANGE@69--row-not-blocks-total-is.hex
numel: a.gguf:69: tensor 'a': rows of 128 elements, Q4_K comes in blocks of 256
== RANGE@69--row-not-blocks.hex
numel: a.gguf:69: tensor 'a': rows of 33 elements, Q8_0 comes in blocks of 32
== RANGE@69--size-wraps-behind-offset.hex
numel: a.gguf:69: tensor 'a': offset 9223372036854775808 and 9223372036854775776 bytes reach past any file
== RANGE@78--dims-2-32.hex
numel: a.gguf:78: tensor 'a': 4294967295 dimensions, at most 4
== RANGE@78--dims-5.hex
numel: a.gguf:78: tensor 'a': 5 dimensions, at most 4
== RANGE@78--dims-million.hex
numel: a.gguf:78: tensor 'a': 1000000 dimensions, at most 4
== RANGE@82--dim-minus-1.hex
numel: a.gguf:82: tensor 'a': dimension 0 is 18446744073709551615, at most 2^63-1
== RANGE@90--dim-2-63.hex
numel: a.gguf:90: tensor 'a': dimension 1 is 9223372036854775808, at most 2^63-1
== TRUNCATED@101--tensor-offset-cut.hex
numel: a.gguf:101: a tensor's offset needs 8 bytes, 4 left
== TRUNCATED@104--array-string-past-end.hex
numel: a.gguf:104: an array's string needs 5 bytes, 3 left
== TRUNCATED@132--array-string-takes-lengths.hex
numel: a.gguf:132: an array's string needs 8 bytes, 0 left
== TRUNCATED@16--counts-cut.hex
numel: a.gguf:16: the metadata count needs 8 bytes, 7 left
== TRUNCATED@16--key-count-2-40.hex
numel: a.gguf:16: 1099511627776 metadata pairs need at least 14 bytes each, 64 bytes left
== TRUNCATED@16--key-count-minus-1.hex
numel: a.gguf:16: 18446744073709551615 metadata pairs need at least 14 bytes each, 0 bytes left
== TRUNCATED@16--key-count-times-14-wraps.hex
numel: a.gguf:16: 9223372036854775808 metadata pairs need at least 14 bytes each, 64 bytes left
== TRUNCATED@24--key-length-2-62.hex
numel: a.gguf:24: a key needs 4611686018427387904 bytes, 17 left
== TRUNCATED@24--key-length-minus-1.hex
numel: a.gguf:24: a key needs 18446744073709551615 bytes, 17 left
== TRUNCATED@24--key-length-minus-8.hex
numel: a.gguf:24: a key needs 18446744073709551608 bytes, 17 left
== TRUNCATED@24--key-length-past-end.hex
numel: a.gguf:24: a key needs 64 bytes, 17 left
== TRUNCATED@37--value-cut.hex
numel: a.gguf:37: a value needs 8 bytes, 4 left
== TRUNCATED@37--value-type-cut.hex
numel: a.gguf:37: a value's type needs 4 bytes, 2 left
== TRUNCATED@4--magic-only.hex
numel: a.gguf:4: the version needs 4 bytes, 0 left
== TRUNCATED@4--version-cut.hex
numel: a.gguf:4: the version needs 4 bytes, 2 left
== TRUNCATED@69--tensor-name-past-end.hex
numel: a.gguf:69: a tensor's name needs 100 bytes, 25 left
== TRUNCATED@8--no-counts.hex
numel: a.gguf:8: the tensor count needs 8 bytes, 0 left
== TRUNCATED@8--one-tensor-too-many.hex
numel: a.gguf:8: 2 tensors need at least 24 bytes each, 33 bytes left
== TRUNCATED@8--tensor-count-2-40.hex
numel: a.gguf:8: 1099511627776 tensors need at least 24 bytes each, 64 bytes left
== TRUNCATED@8--tensor-count-minus-1.hex
numel: a.gguf:8: 18446744073709551615 tensors need at least 24 bytes each, 0 bytes left
== TRUNCATED@8--v1-count-2-31.hex
numel: a.gguf:8: 2147483648 tensors need at least 20 bytes each, 32 bytes left
== TRUNCATED@82--string-length-minus-1.hex
numel: a.gguf:82: a string needs 18446744073709551615 bytes, 3 left
== TRUNCATED@82--string-one-byte-short.hex
numel: a.gguf:82: a string needs 4 bytes, 3 left
== TRUNCATED@82--string-past-end.hex
numel: a.gguf:82: a string needs 1099511627776 bytes, 3 left
== TRUNCATED@86--array-2-63.hex
numel: a.gguf:86: an array of 9223372036854775808 u32 needs 4 bytes each, 4 bytes left
== TRUNCATED@86--array-count-cut.hex
numel: a.gguf:86: an array's count needs 8 bytes, 4 left
== TRUNCATED@86--array-nested-past-end.hex
numel: a.gguf:86: 2 arrays of an array need at least 12 bytes each, 12 bytes left
== TRUNCATED@86--array-one-too-many.hex
numel: a.gguf:86: an array of 3 u16 needs 2 bytes each, 4 bytes left
== TRUNCATED@86--array-size-wraps.hex
numel: a.gguf:86: an array of 4611686018427387904 u32 needs 4 bytes each, 4 bytes left
== TRUNCATED@86--array-strings-count.hex
numel: a.gguf:86: 3 strings of an array need at least 8 bytes each, 16 bytes left
== TYPE@69--alignment-array.hex
numel: a.gguf:69: general.alignment is array, not u32
== TYPE@69--alignment-i32.hex
numel: a.gguf:69: general.alignment is i32, not u32
== TYPE@69--alignment-string.hex
numel: a.gguf:69: general.alignment is string, not u32
== TYPE@69--alignment-u64.hex
numel: a.gguf:69: general.alignment is u64, not u32
== VERSION@4--2-31.hex
numel: a.gguf:4: GGUF version 2147483649, numel knows 1 to 3
== VERSION@4--big-endian-0x30000.hex
numel: a.gguf:4: GGUF version 768, numel knows 1 to 3
== VERSION@4--big-endian-four.hex
numel: a.gguf:4: GGUF version 4, numel knows 1 to 3
== VERSION@4--four.hex
numel: a.gguf:4: GGUF version 4, numel knows 1 to 3
== VERSION@4--zero.hex
numel: a.gguf:4: GGUF version 0, numel knows 1 to 3
== alignment-refused@69--24.hex
numel: a.gguf:69: general.alignment is 24: legal, but llama.cpp requires a power of two
2
== array-nested@69--empty.hex
numel: a.gguf:69: key 'k' is an array of arrays: legal, but llama.cpp refuses it
0
== array-nested@69--four-levels.hex
numel: a.gguf:69: key 'k' is an array of arrays: legal, but llama.cpp refuses it
0
== array-nested@69--one-level.hex
numel: a.gguf:69: key 'k' is an array of arrays: legal, but llama.cpp refuses it
4
== data-missing@159--last-byte.hex
numel: a.gguf:159: a: 1 bytes short: tensor 'a' ends at 160, the file at 159
8
== data-missing@160--most-of-it.hex
numel: a.gguf:160: a: 67,108,832 bytes short: tensor 'a' ends at 67108992, the file at 160
16777216
== data-missing@192--second-tensor.hex
numel: a.gguf:192: b: 32 bytes short: tensor 'b' ends at 224, the file at 192
16
== key-repeated@86--other-type.hex
numel: a.gguf:86: key 'k' occurs twice; the first one counts
0
== key-repeated@93--same.hex
numel: a.gguf:93: key 'my_key_0' occurs twice; the first one counts
0
== name-long@69--64.hex
numel: a.gguf:69: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: the name has 64 bytes, llama.cpp takes up to 63
1
== name-long@69--65.hex
numel: a.gguf:69: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: the name has 65 bytes, llama.cpp takes up to 63
1
== name-repeated@104--up-to-nul.hex
numel: a.gguf:104: a\x00y: up to its NUL the name is the same as that of the tensor at 69: llama.cpp reads both as one name and refuses the file
2
== offset-hole@102--gap.hex
numel: a.gguf:102: b: begins at 224, the data before ends at 192 (padded): legal, but llama.cpp refuses gaps
16
== offset-hole@69--first.hex
numel: a.gguf:69: a: begins at 160, the data before ends at 128 (padded): legal, but llama.cpp refuses gaps
8
== offset-order@102--empty-behind.hex
numel: a.gguf:102: e: listed after a tensor at 160 but is at 160, with no elements: legal, but llama.cpp refuses tensors out of order
8
== offset-order@102--reordered.hex
numel: a.gguf:102: a: listed after a tensor at 192 but is at 160: legal, but llama.cpp refuses tensors out of order
16
== offset-overlap@102--empty-inside.hex
numel: a.gguf:102: e: begins at 192, but 'a' before it ends at 224
16
== offset-overlap@102--partly.hex
numel: a.gguf:102: b: begins at 192, but 'a' before it ends at 224
32
== offset-overlap@102--same.hex
numel: a.gguf:102: b: begins at 160, but 'a' before it ends at 192
16
== offset-unaligned@102--8.hex
numel: a.gguf:102: b: offset 8 is not a multiple of the alignment, 32
4
== offset-unaligned@102--inconsistent.hex
numel: a.gguf:102: b: offset 3 is not a multiple of the alignment, 32
numel: a.gguf:135: c: offset 8 is not a multiple of the alignment, 32
9
== type-removed@90--iq4_nl_4_4.hex
numel: a.gguf:90: a: element type 36 (IQ4_NL_4_4|I2_S) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--iq4_nl_4_8.hex
numel: a.gguf:90: a: element type 37 (IQ4_NL_4_8) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--iq4_nl_8_8.hex
numel: a.gguf:90: a: element type 38 (IQ4_NL_8_8) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--q4_0_4_4.hex
numel: a.gguf:90: a: element type 31 (Q4_0_4_4) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--q4_0_4_8.hex
numel: a.gguf:90: a: element type 32 (Q4_0_4_8) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--q4_0_8_8.hex
numel: a.gguf:90: a: element type 33 (Q4_0_8_8) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--q4_2.hex
numel: a.gguf:90: a: element type 4 (Q4_2) was removed from GGUF, llama.cpp refuses it
33
== type-removed@90--q4_3.hex
numel: a.gguf:90: a: element type 5 (Q4_3) was removed from GGUF, llama.cpp refuses it
33
== type-unknown@123--last-tensor.hex
numel: a.gguf:123: a: unknown element type 9999 (of a fork, or newer): elements counted, bytes inferred from the next offset
101
== type-unknown@90--43.hex
numel: a.gguf:90: a: unknown element type 43 (of a fork, or newer): elements counted, bytes inferred from the next offset
101
== type-unknown@90--minus-1.hex
numel: a.gguf:90: a: unknown element type 4294967295 (of a fork, or newer): elements counted, bytes inferred from the next offset
4
[1]
