# Tables with two names. The model is the Llama of test/cli/causes/build.sh, with tie_word_embeddings: 90,432
# parameters, 106,816 with a separate head (16,384).

# The head is stored as a copy: without --values no command reads it, and all say so.
$ . test/cli/causes/tied.sh; llama | tied $T/m same; say $T/m; numel $T/m | grep ^verdict; cd $T; told m
tied copy stored        1   +16,384  lm_head.weight; values not compared
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; lm_head.weight is a stored copy of model.embed_tokens.weight (tied), values not compared
note  tied-copy  model.safetensors:2112: lm_head.weight is a stored copy of
                 model.embed_tokens.weight (tied), values not compared

complete: 1 file, 21 tensors; checksums not checked
$ . test/cli/causes/tied.sh; say --values $T/m; numel show --values $T/m | grep ^verdict; cd $T; told --values m
tied copy stored        1   +16,384  lm_head.weight; same values
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; lm_head.weight is a stored copy of model.embed_tokens.weight (tied), same values
note  tied-copy  model.safetensors:2112: lm_head.weight is a stored copy of
                 model.embed_tokens.weight (tied), same values

complete: 1 file, 21 tensors; checksums not checked
# Other values: a separate head, which counts.
$ . test/cli/causes/tied.sh; llama | tied $T/m other; say $T/m; say --values $T/m; numel --values $T/m | grep -E '^(parameters|verdict)'; cd $T; told --values m
tied copy stored        1   +16,384  lm_head.weight; values not compared
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
agrees: all expected tensors are present, and no others; the configuration ties lm_head.weight to model.embed_tokens.weight (tie_word_embeddings), but 10 of 16,384 values differ: the head is not tied
parameters     106,816 (106.82 K)
parameters    106,816 (106.82 K)
verdict       agrees with llama: 106,816 parameters; the configuration ties lm_head.weight to model.embed_tokens.weight (tie_word_embeddings), but 10 of 16,384 values differ: the head is not tied
warning  tied-differs  model.safetensors:2112: the configuration ties
                       lm_head.weight to model.embed_tokens.weight
                       (tie_word_embeddings), but 10 of 16,384 values differ:
                       the head is not tied: set tie_word_embeddings to false,
                       or loaders that tie will drop it

complete: 1 file, 21 tensors, 1 warning; checksums not checked
$ cd $T && numel list m | head -2; numel list --values m | head -2
name  architecture  parameters  quantization   bits       size  files  verdict
m     llama            90.43 K  F16           16.00  210.6 KiB      1  agrees
name  architecture  parameters  quantization   bits       size  files  verdict
m     llama           106.82 K  F16           16.00  210.6 KiB      1  agrees
$ . test/cli/causes/tied.sh; llama | tied $T/m last; say --values $T/m
agrees: all expected tensors are present, and no others; the configuration ties lm_head.weight to model.embed_tokens.weight (tie_word_embeddings), but 1 of 16,384 values differ: the head is not tied
parameters     106,816 (106.82 K)
# As with --set, or a configuration that does not tie.
$ . test/cli/causes/tied.sh; say --set tie_word_embeddings=false $T/m; sed -i s/true/false/ $T/m/config.json; say --values $T/m
agrees: all expected tensors are present, and no others
parameters     106,816 (106.82 K)
agrees: all expected tensors are present, and no others
parameters     106,816 (106.82 K)
# A copy rounded to another type is still a copy; a changed one is not.
$ . test/cli/causes/tied.sh; for dtype in BF16 F32; do llama | changed "s/(lm_head.weight) F16/\1 $dtype/" | tied $T/m rounded; say --values $T/m; done
tied copy stored        1   +16,384  lm_head.weight; same values, rounded
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
tied copy stored        1   +16,384  lm_head.weight; same values, rounded
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
$ . test/cli/causes/tied.sh; llama | changed 's/(lm_head.weight) F16/\1 BF16/' | tied $T/m other; say --values $T/m
agrees: all expected tensors are present, and no others; the configuration ties lm_head.weight to model.embed_tokens.weight (tie_word_embeddings), but 10 of 16,384 values differ: the head is not tied
parameters     106,816 (106.82 K)
# A packed copy is a copy, and is not compared.
$ . test/cli/causes/tied.sh; llama | without lm_head | with 'tensor lm_head.weight F8_E4M3 256 64' 'tensor lm_head.weight_scale F32 1' >$T/f.txt; mkhead -q --data $T/f.txt $T/f >$T/said; echo "${tied_config%?},\"quantization_config\":{\"quant_method\":\"fp8\"}}" >$T/f/config.json; say --values $T/f; numel --values $T/f | grep ^verdict
tied copy stored        1   +16,384   16.0 KiB  lm_head.weight; values not compared
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; lm_head.weight is a stored copy of model.embed_tokens.weight (tied), values not compared: packed
# Absent data is not compared.
$ . test/cli/causes/tied.sh; llama | heads $T/h; say --values $T/h; numel --values $T/h | grep ^verdict
tied copy stored        1   +16,384  lm_head.weight; values not compared
agrees: all expected tensors are present, the others are accounted for
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; lm_head.weight is a stored copy of model.embed_tokens.weight (tied), values not compared: the data is not here

# Only the head is stored: loaders that tie use it for both.
$ . test/cli/causes/tied.sh; llama | without embed_tokens | tied $T/m same; say $T/m; numel $T/m | grep ^verdict; cd $T; told m
tied, stored once        0        +0  model.embed_tokens.weight
agrees: all expected tensors are present, and no others
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; model.embed_tokens.weight is stored only under its tied name, lm_head.weight
note  tied-renamed  model.safetensors:2008: model.embed_tokens.weight is stored
                    only under its tied name, lm_head.weight: loaders that tie
                    use it for both

complete: 1 file, 20 tensors; checksums not checked
# Not tied: the table is missing. llama.cpp does not use the head as the table either.
$ . test/cli/causes/tied.sh; sed -i s/true/false/ $T/m/config.json; say $T/m
missing            1   -16,384  model.embed_tokens.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     90,432 (90.43 K)
$ . test/cli/causes/tied.sh; llama_gguf | without token_embd | heads $T/g; rm $T/g/config.json; say $T/g
missing            1   -16,384  token_embd.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     90,432 (90.43 K)
missing  token_embd.weight  [256, 64]
# A head of another size is not the table.
$ . test/cli/causes/tied.sh; llama | without embed_tokens | changed 's/(lm_head.weight F16) 256/\1 320/' | heads $T/h; say $T/h
tied, stored once        0        +0  model.embed_tokens.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
parameters     94,528 (94.53 K)
# Only the table, in either format; neither.
$ . test/cli/causes/tied.sh; llama | without lm_head | heads $T/h; say $T/h; numel $T/h | grep ^verdict
tied, stored once        0        +0  lm_head.weight
agrees: all expected tensors are present, and no others
parameters     90,432 (90.43 K)
verdict       agrees with llama: 90,432 parameters; lm_head.weight is tied to model.embed_tokens.weight
$ . test/cli/causes/tied.sh; llama_gguf | without '^tensor output.weight' | heads $T/g; rm $T/g/config.json; numel $T/g | grep ^verdict
verdict       agrees with llama: 90,432 parameters; output.weight is tied to token_embd.weight
$ . test/cli/causes/tied.sh; llama | without 'lm_head|embed_tokens' | heads $T/h; say $T/h
missing                  1   -16,384  model.embed_tokens.weight
tied, stored once        0        +0  lm_head.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     74,048 (74.05 K)
missing  model.embed_tokens.weight  [256, 64]
