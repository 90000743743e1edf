# Forms of GGUF that llama.cpp's converter and loader support, and neighbours that they do not.
# The files are cases of fixtures/oracle/gguf2.zst, changed in a few bytes of the header.

$ python3 test/gen/gguf_cases.py -x $T/g >/dev/null && ls $T/g | grep -c -e -fused.gguf
104
# q, k and v fused (--fuse-qkv), with and without biases, with experts, in the layers that have attention.
$ for m in olmoe qwen2moe phimoe gpt-oss; do numel reconcile $T/g/$m-fused.gguf | grep -E '^(dis)?agrees'; done; numel reconcile $T/g/nemotron_h-dense-of-test-fused.gguf | grep -E '^(dis)?agrees'
agrees: all expected tensors are present, and no others
agrees: all expected tensors are present, and no others
agrees: all expected tensors are present, and no others
agrees: all expected tensors are present, and no others
agrees: all expected tensors are present, and no others
# One layer under another name; an extra row.
$ cd $T/g && sed 's/blk.1.attn_qkv.weight/blk.1.attn_qvk.weight/' olmoe-fused.gguf > x.gguf; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing|wrong|unexpected)'
missing            3   -27,648  blk.1.attn_q.weight and 2 more
disagrees: 3 missing, 0 of the wrong shape, 1 unexpected
missing  blk.1.attn_q.weight  [96, 96]
missing  blk.1.attn_k.weight  [96, 96]
missing  blk.1.attn_v.weight  [96, 96]
unexpected  blk.1.attn_qvk.weight  [288, 96]  unknown
$ cd $T/g && python3 -c 'd=open("olmoe-fused.gguf","rb").read(); n=b"blk.0.attn_qkv.weight"; i=d.index(n)+len(n)+4+8; open("x.gguf","wb").write(d[:i]+bytes([d[i]+1])+d[i+1:])'; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing|wrong|unexpected)'
numel: x.gguf:738: blk.0.attn_output.weight: begins at 190816, but 'blk.0.attn_qkv.weight' before it ends at 191200
wrong shape        1       +96  blk.0.attn_qkv.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.0.attn_qkv.weight  expected  [288, 96]  found  [289, 96]
# The same if q contains the gate, if only some layers have the three, and in a prediction layer.
$ for m in deci exaone glm4-mtp internlm2-bias jina-bert-v2-code kimi-linear mimo2-bias minimax-m3 phi3-long qwen35-mtp-bias qwen35moe-mtp qwen3next-mtp qwen3next-old step35-mtp-full; do numel reconcile $T/g/$m-fused.gguf | grep -cE '^agrees'; done | uniq -c
     14 1
# A missing row.
$ cd $T/g && for m in qwen35-mtp-bias/2/weight kimi-linear/2/weight jina-bert-v2-code/0/bias; do python3 -c 'import sys; m, i, end = sys.argv[1].split("/"); d = open(m + "-fused.gguf", "rb").read(); n = b"blk." + i.encode() + b".attn_qkv." + end.encode(); i = d.index(n) + len(n) + 4 + 8 * (end == "weight"); open("x.gguf", "wb").write(d[:i] + bytes([d[i] - 1]) + d[i + 1:])' $m; numel reconcile x.gguf 2>/dev/null | grep -E '^((dis)?agrees|missing|wrong|unexpected)'; done
wrong shape                   1   +34,464  blk.2.attn_qkv.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.2.attn_qkv.weight  expected  [360, 96]  found  [359, 96]
wrong shape        1       -96  blk.2.attn_qkv.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.2.attn_qkv.weight  expected  [360, 96]  found  [359, 96]
wrong shape        1        -1  blk.0.attn_qkv.bias
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.0.attn_qkv.bias  expected  [288]  found  [287]
# Prediction layers after the others: complete, without copies of embedding and head, and absent.
$ cd $T/g && for m in mimo2-mtp qwen3next-mtp bailingmoe2-mtp exaone-moe-mtp-slim step35-trunk; do numel reconcile $m.gguf | grep -E '^(dis)?agrees'; done
agrees: all expected tensors are present, the others are accounted for
agrees: all expected tensors are present, the others are accounted for
agrees: all expected tensors are present, the others are accounted for
agrees: all expected tensors are present, the others are accounted for
agrees: all expected tensors are present, the others are accounted for
# EXAONE 4's, which llama.cpp keeps but does not run; Nemotron 3's, with attention and experts in one block; DeepSeek-V4's, with copies; and
# DeepSeek-V4's second routing bias, for images. Then another name, and another size.
$ cd $T/g && for m in exaone4-mtp exaone4-mtp-fused nemotron_h_moe-mtp nemotron_h_moe-mtp-fused deepseek4 deepseek4-mtp deepseek4-vision; do numel reconcile $m.gguf | grep -cE '^agrees'; done | uniq -c
      7 1
$ otherwise() { python3 -c 'import sys; m, n = sys.argv[1:]; d = open(m + ".gguf", "rb").read(); i = d.index(n.encode()) + len(n) + 4; open("x.gguf", "wb").write(d[:i] + bytes([d[i] - 1]) + d[i + 1:])' "$@"; numel reconcile x.gguf 2>/dev/null | grep -E '^((dis)?agrees|missing|wrong|unexpected)'; }; cd $T/g; otherwise exaone4-mtp blk.2.nextn.eh_proj.weight; otherwise nemotron_h_moe-mtp blk.4.ffn_up_shexp.weight; otherwise deepseek4-mtp blk.4.nextn.embed_tokens.weight; otherwise deepseek4-vision blk.3.exp_probs_b_vl.bias
wrong shape                   1   +18,336  blk.2.nextn.eh_proj.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.2.nextn.eh_proj.weight  expected  [96, 192]  found  [96, 191]
wrong shape                   1    +5,320  blk.4.ffn_up_shexp.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.4.ffn_up_shexp.weight  expected  [56, 96]  found  [56, 95]
wrong shape                   1    +9,595  blk.4.nextn.embed_tokens.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.4.nextn.embed_tokens.weight  expected  [101, 96]  found  [101, 95]
wrong shape        1        +4  blk.3.exp_probs_b_vl.bias
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.3.exp_probs_b_vl.bias  expected  [5]  found  [4]
$ cd $T/g && sed 's/blk.3.exp_probs_b_vl/blk.3.exp_probs_b_lv/' deepseek4-vision.gguf > x.gguf; numel reconcile x.gguf | grep -E '^((dis)?agrees|unexpected)'
disagrees: 0 missing, 0 of the wrong shape, 1 unexpected
unexpected  blk.3.exp_probs_b_lv.bias  [5]  unknown
# An unknown name for one; a projection of the wrong size.
$ cd $T/g && sed 's/blk.4.nextn.eh_proj/blk.4.nextn.he_proj/' mimo2-mtp.gguf > x.gguf; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing|wrong|unexpected|not checked)'
missing                       1        +0  blk.4.nextn.eh_proj.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  blk.4.nextn.eh_proj.weight  [96, 192]
$ cd $T/g && python3 -c 'd=open("qwen3next-mtp.gguf","rb").read(); n=b"blk.4.attn_q.weight"; i=d.index(n)+len(n)+4+8; open("x.gguf","wb").write(d[:i]+bytes([d[i]+1])+d[i+1:])'; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing|wrong|unexpected|not checked)'
numel: x.gguf:5584: blk.4.attn_k.weight: begins at 2374112, but 'blk.4.attn_q.weight' before it ends at 2374496
wrong shape                   1   +23,136  blk.4.attn_q.weight
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  blk.4.attn_q.weight  expected  [240, 96]  found  [241, 96]
# Jina's gate and up fused, and as two; not both.
$ cd $T/g && for m in jina-bert-v2 jina-bert-v2-gate; do numel reconcile $m.gguf | grep -E '^(dis)?agrees'; done; sed 's/blk.0.ffn_gate.weight/blk.0.ffn_gaze.weight/' jina-bert-v2-gate.gguf > x.gguf; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing|wrong|unexpected|not checked)'
agrees: all expected tensors are present, and no others
agrees: all expected tensors are present, and no others
wrong shape        2    -7,760  blk.0.ffn_up.weight and 1 more
disagrees: 0 missing, 2 of the wrong shape, 1 unexpected
unexpected  blk.0.ffn_gaze.weight  [80, 96]  unknown
wrong shape  blk.0.ffn_up.weight  expected  [160, 96]  found  [80, 96]
wrong shape  blk.0.ffn_up.bias    expected  [160]      found  [80]
