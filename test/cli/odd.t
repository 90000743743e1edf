# Odd but accepted: warnings, status 0; --strict makes them errors.
$ cd $T; for f in "$OLDPWD"/fixtures/odd/*/*; do hex "$f" > a; echo "== ${f##*/}"; numel a | grep -E '^(warning|error|note)'; done
== alignment-odd@69--four.hex
warning  alignment-odd  at byte 69: general.alignment is 4, the format requires a multiple of 8
== alignment-odd@69--one.hex
warning  alignment-odd  at byte 69: general.alignment is 1, the format requires a multiple of 8
== alignment-odd@69--two.hex
warning  alignment-odd  at byte 69: general.alignment is 2, the format requires a multiple of 8
== architecture-absent@---no-keys.hex
warning  architecture-absent  no general.architecture
== dims-zero@78--scalar.hex
warning  dims-zero  at byte 78: no dimensions: counted as 1 element
== key-odd@69--65536.hex
warning  key-odd  at byte 69: key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk': not up to 65,535 printable ASCII characters
== key-odd@69--bad-utf8.hex
warning  key-odd  at byte 69: key 'Bad Key\xff': not up to 65,535 printable ASCII characters
== key-odd@69--nul.hex
warning  key-odd  at byte 69: key 'a\x00b': not up to 65,535 printable ASCII characters
== magic-swapped@0--big-endian.hex
warning  magic-swapped  at byte 0: the magic is 'FUGG': a big-endian writer swapped it, llama.cpp refuses it
== name-empty@69--empty.hex
warning  name-empty  at byte 69: a tensor has an empty name
== name-odd@69--bad-utf8.hex
warning  name-odd  at byte 69: a\xffb: the name is not UTF-8 or contains a NUL
== name-odd@69--nul.hex
warning  name-odd  at byte 69: a\x00x: the name is not UTF-8 or contains a NUL
warning  name-odd  at byte 104: b\x00x: the name is not UTF-8 or contains a NUL
== pad-not-zero@102--before-data.hex
warning  pad-not-zero  at byte 102: a padding byte before the data is 0xaa, not 0
== trailing-bytes@160--after-padding.hex
warning  trailing-bytes  at byte 160: 4 bytes follow the last tensor and its padding
== trailing-bytes@160--one.hex
warning  trailing-bytes  at byte 160: 1 byte follows the last tensor and its padding
== trailing-bytes@96--no-tensors.hex
warning  trailing-bytes  at byte 96: 64 bytes follow the last tensor and its padding
== type-fork@98--iq1_bn.hex
warning  type-fork  at byte 98: element type 134 (IQ1_BN) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--iq2_bn.hex
warning  type-fork  at byte 98: element type 135 (IQ2_BN) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--iq2_k.hex
warning  type-fork  at byte 98: element type 137 (IQ2_K) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--iq2_ks.hex
warning  type-fork  at byte 98: element type 145 (IQ2_KS) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--iq4_ks.hex
warning  type-fork  at byte 98: element type 144 (IQ4_KS) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--mxfp4_r8.hex
warning  type-fork  at byte 98: element type 353 (MXFP4_R8) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--q4_0_r8.hex
warning  type-fork  at byte 98: element type 202 (Q4_0_R8) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--q6_0.hex
warning  type-fork  at byte 98: element type 133 (Q6_0) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--q8_0_x4.hex
warning  type-fork  at byte 98: element type 97 (Q8_0_X4) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--q8_K16.hex
warning  type-fork  at byte 98: element type 147 (Q8_K16) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== type-fork@98--q8_KV.hex
warning  type-fork  at byte 98: element type 151 (Q8_KV) belongs to the ik_llama.cpp fork, llama.cpp does not know it
== value-bool@69--255.hex
warning  value-bool  at byte 69: key 'k': the bool is 255, not 0 or 1
== value-bool@69--two.hex
warning  value-bool  at byte 69: key 'k': the bool is 2, not 0 or 1
== value-utf8@69--latin-1.hex
warning  value-utf8  at byte 69: the value of key 'general.name' is not UTF-8
== version-old@4--empty.hex
warning  version-old  at byte 4: GGUF version 1: llama.cpp no longer reads it
== version-old@4--tensors.hex
warning  version-old  at byte 4: GGUF version 1: llama.cpp no longer reads it
== needs-code@64--class-in-a-class.hex
warning  needs-code      at byte 64: needs code, which numel does not run: ema is my.ema.EMA; 1 tensor in it not read
note     storage-unused  24 bytes of storages are no tensor's
== needs-code@64--dictconfig.hex
warning  needs-code  at byte 64: needs code, which numel does not run: hyper is omegaconf.dictconfig.DictConfig
== needs-code@64--meta.hex
warning  needs-code  at byte 64: 1 tensor without data (on the device 'meta')
== needs-code@64--tensor-inside.hex
warning  needs-code      at byte 64: needs code, which numel does not run: ema is my.ema.EMA; 1 tensor in it not read
note     storage-unused  24 bytes of storages are no tensor's
== trailing-bytes@333--legacy.hex
warning  trailing-bytes  at byte 333: 4 bytes follow the last storage
== entry-form@13--array.hex
warning  entry-form  at byte 13: the entry is an array, not an object
== entry-form@22--dtype-object.hex
warning  entry-form  at byte 22: dtype is an object, not a string
== leading-space@8--header-of-640.hex
warning  leading-space  at byte 8: the header begins with white space, not with '{'
== leading-space@8--newlines-and-tabs.hex
warning  leading-space  at byte 8: the header begins with white space, not with '{'
== leading-space@8--one-space.hex
warning  leading-space  at byte 8: the header begins with white space, not with '{'
== metadata-null@9--null.hex
warning  metadata-null  at byte 9: __metadata__ is null: some readers fail on it
== metadata-repeated@33--same-key-once-escaped.hex
warning  metadata-repeated  at byte 33: __metadata__ has 'k' twice; the last one counts
== metadata-repeated@33--same-key.hex
warning  metadata-repeated  at byte 33: __metadata__ has 'k' twice; the last one counts
== name-empty@9--empty.hex
warning  name-empty  at byte 9: a tensor has an empty name
== name-odd@61--nul.hex
warning  name-odd  at byte 61: a\x00b: the name contains a NUL character
$ cd $T; hex "$OLDPWD"/fixtures/odd/gguf/version-old@4--tensors.hex > a; numel -q a; numel --strict -q a
40
numel: a:4: GGUF version 1: llama.cpp no longer reads it
40
[1]
