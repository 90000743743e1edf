# Projector files of llama.cpp (general.architecture clip): an encoder and the projector to a language model's
# width. The files are cases of fixtures/oracle/gguf2.zst, changed in a few bytes of the header.

# A small Qwen2-VL, by hand: two patch matrices 2*32*3*4*4 = 3,072; a layer has two norms, q, k, v and the output, a
# network of 4E: 128 + 4*(1,024+32) + 2*32*128+128+32 = 12,704, three of them 38,112; the last norm 64; the projector
# of four patches as one 128*128+128 + 48*128+48 = 22,704. In all 63,952.
$ python3 test/gen/gguf_cases.py -x $T/g >/dev/null; numel reconcile $T/g/conv-mmproj-qwen2vl.gguf | grep -E '^(architecture|parameters|(dis)?agrees)'
architecture  clip (by metadata)
agrees: all expected tensors are present, and no others
parameters     63,952 (63.95 K)
# The known types, one file each or more.
$ cd $T/g && for f in *mmproj*.gguf; do numel reconcile $f | grep -E '^(dis)?agrees'; done | sort | uniq -c | sed 's/^ *//'
52 agrees: all expected tensors are present, and no others
2 agrees: all expected tensors are present, the others are accounted for
# An unknown type is not identified by its names, however similar they are.
$ cd $T/g && sed 's/qwen2vl_merger/qwen9vl_merger/' conv-mmproj-qwen2vl.gguf > x.gguf; numel reconcile x.gguf | grep -E '^(no formula|(dis)?agrees)'
no formula: no specification for projector_type 'qwen9vl_merger' of general.architecture 'clip'
$ cd $T/g && numel x.gguf | grep ^architecture
architecture  unknown, no specification for projector_type 'qwen9vl_merger' of clip (by metadata)
$ cd $T/g && sed 's/glm5-next/glm9-next/g' glm5-next.gguf > y.gguf; numel y.gguf | grep ^architecture; numel reconcile y.gguf | grep -E '^(no formula|(dis)?agrees)'
architecture  unknown, no specification for glm9-next (by metadata)
no formula: no specification for general.architecture 'glm9-next'
# A renamed tensor; an extra row; an extra layer; a missing key.
$ cd $T/g && sed 's/v.blk.1.attn_k.bias/v.blk.1.attn_k.bais/' conv-mmproj-qwen2vl.gguf > x.gguf; numel reconcile x.gguf | grep -E '^((dis)?agrees|missing  v|unexpected  v)'
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
missing  v.blk.1.attn_k.bias  [32]
$ cd $T/g && python3 -c 'd=open("mmproj-mlp.gguf","rb").read(); n=b"mm.2.weight"; i=d.index(n)+len(n)+4+8; open("x.gguf","wb").write(d[:i]+bytes([d[i]+1])+d[i+1:])'; numel reconcile x.gguf 2>/dev/null | grep -E '^((dis)?agrees|wrong shape  mm)'
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
wrong shape  mm.2.weight  expected  [56, 56]  found  [57, 56]
$ cd $T/g && python3 -c 'd=open("mmproj-ultravox.gguf","rb").read(); n=b"clip.audio.block_count"; i=d.index(n)+len(n)+4; open("x.gguf","wb").write(d[:i]+b"\4"+d[i+1:])'; numel reconcile x.gguf | grep -E '^(dis)?agrees'
disagrees: 15 missing, 0 of the wrong shape, 0 unexpected
$ cd $T/g && sed 's/clip.vision.patch_size/clip.vision.patch_seiz/' conv-mmproj-gemma3.gguf > x.gguf; numel reconcile x.gguf | grep -E '(no formula|(dis)?agrees)'
no formula: the configuration has no vision.patch_size; give it with --set vision.patch_size=VALUE
