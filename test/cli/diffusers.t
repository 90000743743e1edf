# Components of diffusers: config.json names the class in _class_name, without a model type. Totals are the
# classes' own counts.
$ numel formula -q test/cli/diffusers/sd15-unet.json
859520964
$ numel formula -q test/cli/diffusers/sdxl-unet.json
2567463684
$ numel formula -q test/cli/diffusers/sd-vae.json
83653863
$ numel formula -q test/cli/diffusers/flux-dev.json
11901408320
# Keys missing from the configuration have the constructor's defaults: SD 1.5 with another text width, and all
# defaults.
$ echo '{"_class_name": "UNet2DConditionModel", "cross_attention_dim": 768}' >$T/c.json; numel formula -q $T/c.json
859520964
$ echo '{"_class_name": "UNet2DConditionModel"}' >$T/c.json; numel formula -q $T/c.json
872300484
# Z-Image has the keys of Meta's params.json; its class shows that it is not a Llama.
$ echo '{"_class_name": "ZImageTransformer2DModel", "dim": 3840, "n_layers": 30, "n_heads": 30}' >$T/c.json; numel formula -q $T/c.json
6154908736
# A small one agrees; its neighbours do not: a missing tensor, another text width, other channels.
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; cp test/cli/diffusers/tiny-unet.json $T/tiny/config.json; cd $T; numel reconcile tiny | grep -e "^agrees" -e "^parameters"
agrees: all expected tensors are present, and no others
parameters     51,684 (51.68 K)
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/"cross_attention_dim": 12/"cross_attention_dim": 16/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | tail -3

reason  the configuration says cross_attention_dim 16, the shapes of 8 weights
        say 12
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/"cross_attention_dim": 12/"cross_attention_dim": 13/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | tail -2; numel reconcile -q tiny
reason  the configuration says cross_attention_dim 13, the shapes of 8 weights
        say 12
0
[1]
# An extra row in one weight; a ControlNet's class, a UNet's class without text.
$ sed 's/^\(tensor conv_out.weight F32\) 4/\1 5/' test/cli/diffusers/tiny-unet.txt >$T/more.txt; mkhead -q $T/more.txt $T/tiny >$T/said; cp test/cli/diffusers/tiny-unet.json $T/tiny/config.json; cd $T; numel reconcile tiny | grep "^wrong"; numel reconcile -q tiny
wrong shape        1       +72  conv_out.weight
wrong shape  conv_out.weight  expected  [4, 8, 3, 3]  found  [5, 8, 3, 3]
0
[1]
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/UNet2DConditionModel/ControlNetModel/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | sed -n 2p; numel reconcile -q tiny
architecture  ControlNetModel (by tiny/config.json)
25844
[1]
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/UNet2DConditionModel/UNet2DModel/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | sed -n 2p; numel reconcile -q tiny
architecture  UNet2DModel (by tiny/config.json)
10280
[1]
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/\[8, 16\]/[8, 24]/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile -q tiny
0
[1]
$ sed '/mid_block.resnets.1.conv2.bias/d' test/cli/diffusers/tiny-unet.txt >$T/less.txt; mkhead -q $T/less.txt $T/tiny >$T/said; cp test/cli/diffusers/tiny-unet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -3
active         51,668 (51.67 K)

missing  mid_block.resnets.1.conv2.bias  [16]
# A class without a specification is reported by name.
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/UNet2DConditionModel/FrobUNetModel/' test/cli/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | sed -n 2p; numel show tiny | sed -n 3p; numel list --columns name,architecture,verdict tiny | sed -n 2p; numel formula tiny/config.json
architecture  unknown, no specification for FrobUNetModel
architecture  unknown, no specification for FrobUNetModel (by config.json)
tiny  FrobUNetModel  unknown
numel: tiny/config.json: no specification for _class_name 'FrobUNetModel'
[3]

# Heads have an integer width: if they do not divide the model's, attention is narrower (UVit2D, 16 heads of 64 at
# a width of 1,032).
$ for E in 1024 1032; do echo '{"_class_name": "UVit2DModel", "hidden_size": '$E'}' | numel formula - | grep -E '^(A|attn.q.3|total) '; done
A                     1,024  defaulted  UVit2DModel.num_attention_heads
attn.q.3                    A*E                                        1,048,576     22   23,068,672   3.8 %
total       603,537,664 (603.54 M)
A                     1,024  defaulted  UVit2DModel.num_attention_heads
attn.q.3                    A*E                                        1,056,768     22   23,248,896   3.8 %
total       608,799,840 (608.80 M)
