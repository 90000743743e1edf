# Figures 3 to 6: the formula embed + L*(mha + mlp + norm), and its parts.

# 3. count_llama_params(4096, 11008, 32000, 32) = 6607.3M, exactly 6,607,339,520. `numel`: 4,096 more.
$ . test/truth/seeds/figure.sh; test $(total "embed.tok|$layer" test/truth/seeds/llama-1-7b-base.json) = 6607339520
# 131,072,000 + 32 * (67,108,864 + 135,266,304 + 8,192)
$ . test/truth/seeds/figure.sh; test $(total norm.final test/truth/seeds/llama-1-7b-base.json) = 4096
# without the final norm: 6,607,339,520 + 4,096 = 6,607,343,616

# 4. the same for 65B = 65023.5M, "roughly aligned" with 65023.52M; exactly 65,023,508,480.
$ . test/truth/seeds/figure.sh; test $(total "embed.tok|$layer" test/truth/seeds/llama-1-65b-base.json) = 65023508480
# 262,144,000 + 80 * (268,435,456 + 541,065,216 + 16,384)
$ . test/truth/seeds/figure.sh; test $(total norm.final test/truth/seeds/llama-1-65b-base.json) = 8192
# the final norm again: 65,023,508,480 + 8,192 = 65,023,516,672

# 5. "2*d_model = 8M", later "8.19M": 8,192 per layer, 262,144 in all; off by a factor of 1000.
$ . test/truth/seeds/figure.sh; test $(each 'norm.(attn|mlp)' test/truth/seeds/llama-1-7b-base.json) = 8192
# 2 * 4,096
$ . test/truth/seeds/figure.sh; test $(total 'norm.(attn|mlp)' test/truth/seeds/llama-1-7b-base.json) = 262144
# 32 * 8,192; not 262 million

# 6. 3*d_model*d_ff = 135.27M and 4*d_model^2 = 67.1M: 135,266,304 and 67,108,864. They agree.
$ . test/truth/seeds/figure.sh; test $(each 'mlp..*' test/truth/seeds/llama-1-7b-base.json) = 135266304
# 3 * 4,096 * 11,008
$ . test/truth/seeds/figure.sh; test $(each 'attn..*' test/truth/seeds/llama-1-7b-base.json) = 67108864
# 4 * 4,096 * 4,096

# From headers alone, the same layer.
$ numel fixtures/llama-2-7b | grep -E '_proj|norm'
  input_layernorm.weight           [4096]               32 x 4,096        131,072   0.0 %  256.0 KiB
  mlp.down_proj.weight             [4096, 11008]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  mlp.gate_proj.weight             [11008, 4096]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  mlp.up_proj.weight               [11008, 4096]   32 x 45,088,768  1,442,840,576  21.4 %    2.6 GiB
  post_attention_layernorm.weight  [4096]               32 x 4,096        131,072   0.0 %  256.0 KiB
  self_attn.k_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.o_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.q_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
  self_attn.v_proj.weight          [4096, 4096]    32 x 16,777,216    536,870,912   8.0 %    1.0 GiB
model.norm.weight                  [4096]                                   4,096   0.0 %    8.0 KiB
# 4 * 16,777,216 + 3 * 45,088,768 + 2 * 4,096 = 202,383,360
