# numel verify --values: values that are not valid weights. Patterns are written out: 7FC00000 and FF80.. are NaN
# and infinity in IEEE 754.
$ . test/cli/published.sh; st v.safetensors ok:F32:4x4:1 'nan:F32:2x4:=0000c07f0000803f' inf:BF16:4:=807f803f z:F16:3x3:0 zb:F16:3:0 causal_mask:F32:2x2:=000080ff e4:F8_E4M3:4:=7fff0080; numel verify --values -l size v.safetensors | tail -n +7
values  48 values in 7 tensors: 6 NaN, 6 infinite, 14 zero; 0 bad scales

error  value-nan  v.safetensors:496: tensor 'nan': 4 of 8 values are NaN
error  value-inf  v.safetensors:528: tensor 'inf': 2 of 4 values are infinite
error  value-nan  v.safetensors:576: tensor 'e4': 2 of 4 values are NaN

warning  value-zero  v.safetensors:536: tensor 'z': all its 9 values are zero

note  value-zero-vector  v.safetensors:554: tensor 'zb': all its 3 values are
                         zero
note  value-inf-mask     v.safetensors:560: tensor 'causal_mask': 4 of 4 values
                         are infinite

damaged: 3 errors, 1 warning
$ . test/cli/published.sh; st v.safetensors ok:F32:4x4:1 'nan:F32:2x4:=0000c07f0000803f' e8:F8_E8M0:4:=ff7f00ff; numel verify --values -l size --json v.safetensors | grep -E '^  {"(tensor|code)"'
  {"tensor":"ok","file":"v.safetensors","dtype":"F32","elements":16,"nan":0,"inf":0,"zero":0,"scale_nan":null,"scale_inf":null},
  {"tensor":"nan","file":"v.safetensors","dtype":"F32","elements":8,"nan":4,"inf":0,"zero":0,"scale_nan":null,"scale_inf":null},
  {"tensor":"e8","file":"v.safetensors","dtype":"F8_E8M0","elements":4,"nan":2,"inf":0,"zero":0,"scale_nan":null,"scale_inf":null}],
  {"code":"value-nan","severity":"error","level":"values","file":"v.safetensors","tensor":"nan","offset":250,"message":"tensor 'nan': 4 of 8 values are NaN","cause":null},
  {"code":"value-nan","severity":"error","level":"values","file":"v.safetensors","tensor":"e8","offset":282,"message":"tensor 'e8': 2 of 4 values are NaN","cause":null}],
$ . test/cli/published.sh; st g.gguf q:Q4_0:2x32:=007e0000000000000000000000000000000000 m:MXFP4:1x32:=ff11111111111111111111111111111111 f:F16:4:=007c k:Q4_K:1x256:1; numel verify --values -l size g.gguf | tail -n +7
values  356 values in 4 tensors: 0 NaN, 4 infinite, 32 zero; 2 bad scales

error  scale-range  g.gguf:224: tensor 'q': scales out of range in its 2 blocks:
                    1 NaN, 0 infinite; such a block does not decode to numbers
error  scale-range  g.gguf:288: tensor 'm': scales out of range in its 1 blocks:
                    1 NaN, 0 infinite; such a block does not decode to numbers
error  value-inf    g.gguf:320: tensor 'f': 4 of 4 values are infinite

damaged: 3 errors, 0 warnings
# good files have no finding, for any number of threads; -q prints nothing
$ . test/cli/published.sh; st g.safetensors w:F32:64x32:=0000803f000080bf; numel verify --values -l size g.safetensors | tail -n +7; numel verify -q --values -l size --jobs 1 g.safetensors
values  2,048 values in 1 tensor: 0 NaN, 0 infinite, 0 zero; 0 bad scales

complete: 1 file, 1 tensor; checksums not checked
# not read: zstd, header-only copies
$ . test/cli/published.sh; model a; zstd -q a/model.safetensors -o z.safetensors.zst; numel verify --values -l size z.safetensors.zst | grep -A1 value-unread; numel behead -q a h; numel verify --values -l size h | grep -A1 value-unread
note  value-unread  the values of 2 tensors were not read: their file is
                    compressed: unpack it first
note  value-unread  the values of 2 tensors were not read: their data is absent
