# timm: config.json names the architecture and its arguments. Totals as timm counts them: statistics of batch norms are buffers.
$ echo '{"architecture": "resnet50", "num_classes": 1000, "num_features": 2048}' >$T/c.json; numel formula -q $T/c.json
25557032
$ echo '{"architecture": "vit_base_patch16_224", "num_classes": 1000, "num_features": 768}' >$T/c.json; cd $T; numel formula c.json
architecture  vit_base_patch16_224 (by c.json)

symbol    value  evidence   from
C             3  defaulted  input
NC        1,000  declared   num_classes
PH           16  defaulted  VisionTransformer.patch_size
PW           16  defaulted  VisionTransformer.patch_size
GH           14  defaulted  model_args.dynamic_img_size
GW           14  defaulted  model_args.dynamic_img_size
E           768  defaulted  VisionTransformer.embed_dim
L            12  defaulted  VisionTransformer.depth
F         3,072  defaulted  mlp_ratio
prefixed      1  defaulted  class_token

role                formula                    each  times       total   share
v.embed.class       E                           768      1         768   0.0 %
v.embed.pos         GH*GW*E + prefixed*E    151,296      1     151,296   0.2 %
v.embed.patch       E*C*PH*PW               589,824      1     589,824   0.7 %
v.embed.patch.bias  E                           768      1         768   0.0 %
v.norm.attn         E                           768     12       9,216   0.0 %
v.norm.attn.bias    E                           768     12       9,216   0.0 %
v.attn.qkv          3*E^2                 1,769,472     12  21,233,664  24.5 %
v.attn.qkv.bias     3*E                       2,304     12      27,648   0.0 %
v.attn.o            E^2                     589,824     12   7,077,888   8.2 %
v.attn.o.bias       E                           768     12       9,216   0.0 %
v.norm.mlp          E                           768     12       9,216   0.0 %
v.norm.mlp.bias     E                           768     12       9,216   0.0 %
v.mlp.up            F*E                   2,359,296     12  28,311,552  32.7 %
v.mlp.up.bias       F                         3,072     12      36,864   0.0 %
v.mlp.down          E*F                   2,359,296     12  28,311,552  32.7 %
v.mlp.down.bias     E                           768     12       9,216   0.0 %
v.norm.final        E                           768      1         768   0.0 %
v.norm.final.bias   E                           768      1         768   0.0 %
head.class          NC*E                    768,000      1     768,000   0.9 %
head.class.bias     NC                        1,000      1       1,000   0.0 %

expression  4*E + GH*GW*E + prefixed*E + E*C*PH*PW + L*(9*E + 4*E^2 + 2*F*E + F) + NC*E + NC
total       86,567,656 (86.57 M)
tensors     152
buffers     0
# An argument overrides the top-level keys, which override those of the pretrained weights; 0 classes means no
# head.
$ echo '{"architecture": "resnet50", "num_classes": 10, "model_args": {"num_classes": 7}, "pretrained_cfg": {"num_classes": 1000, "input_size": [3, 224, 224]}}' >$T/c.json; numel formula -q $T/c.json
23522375
$ echo '{"architecture": "resnet50", "num_classes": 10, "pretrained_cfg": {"num_classes": 1000, "input_size": [1, 224, 224]}}' >$T/c.json; numel formula -q $T/c.json
23522250
$ echo '{"architecture": "resnet50", "num_classes": 0}' >$T/c.json; numel formula -q $T/c.json
23508032
# Written by an older version, as one object; in transformers' wrapper; with the tag of its weights.
$ echo '{"architecture": "efficientnet_b0", "num_classes": 1000, "num_features": 1280, "input_size": [3, 224, 224], "first_conv": "conv_stem"}' >$T/c.json; numel formula -q $T/c.json
5288548
$ echo '{"model_type": "timm_wrapper", "architecture": "efficientnet_b0", "num_classes": 1000, "architectures": ["TimmWrapperForImageClassification"]}' >$T/c.json; numel formula -q $T/c.json
5288548
$ echo '{"architecture": "efficientnet_b0.ra_in1k"}' >$T/c.json; numel formula -q $T/c.json
5288548
$ echo '{"architecture": "frobnet50"}' >$T/c.json; cd $T; numel formula c.json
numel: c.json: no specification for architecture 'frobnet50'
[3]
# Small ones agree, the second with the indices and masks that older files store.
$ mkhead -q test/cli/timm/tiny-resnet.txt $T/tiny >$T/said; cp test/cli/timm/tiny-resnet.json $T/tiny/config.json; cd $T; numel reconcile tiny
tiny/model.safetensors.head.zst
architecture  resnet18 (by tiny/config.json)
expression    49*stem*C + 2*stem + 41264 + 1472*dk^2 + 2*5280 + NC*mult*W[N-1] + NC

symbol  value  evidence   from
C           3  declared   in_chans
NC          5  declared   num_classes
dk          1  defaulted  down_kernel_size
mult        1  declared   global_pool
stem       64  defaulted  stem_type
N           4  declared   channels

cause        tensors  elements
formula           47    63,037  resnet18, 47 tensors expected
buffers           45      +767  bn1.num_batches_tracked and 44 more
stored            92    63,804
unexplained                  0

agrees: all expected tensors are present, the others are accounted for

parameters     63,037 (63.04 K)
non-embedding  63,037 (63.04 K)
active         63,037 (63.04 K)
$ mkhead -q test/cli/timm/tiny-swin.txt $T/tiny >$T/said; cp test/cli/timm/tiny-swin.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -12

cause        tensors  elements
formula           50    14,183  swin_tiny_patch4_window7_224, 50 tensors expected
buffers            4   +16,807  layers.0.blocks.0.attn.relative_position_index and 3 more
stored            54    30,990
unexplained                  0

agrees: all expected tensors are present, the others are accounted for

parameters     14,183 (14.18 K)
non-embedding  14,183 (14.18 K)
active         14,183 (14.18 K)
# Their neighbours do not: a missing statistic, a stage of another width, an extra tensor, a number of classes that
# the configuration does not state.
$ sed '/layer3.0.bn1.running_var/d' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-resnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -2; numel reconcile -q tiny

missing  layer3.0.bn1.running_var  [24]
0
[1]
$ sed 's/^\(tensor layer3.1.conv2.weight F32\) 24/\1 25/' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-resnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
wrong shape  layer3.1.conv2.weight  expected  [24, 24, 3, 3]  found  [25, 24, 3, 3]
0
[1]
$ (cat test/cli/timm/tiny-resnet.txt; echo tensor layer1.1.conv1.weight F32 8 8 3 3) >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-resnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
unexpected  layer1.1.conv1.weight  [8, 8, 3, 3]  unknown
576
[1]
$ mkhead -q test/cli/timm/tiny-resnet.txt $T/tiny >$T/said; sed 's/"num_classes": 5/"num_classes": 6/' test/cli/timm/tiny-resnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | tail -2; numel reconcile -q tiny
cause  config.json says num_classes is 6, the tensors show 5: set it to 5; 2
       follow from it (--no-truncate shows them)
0
[1]
# An index of another size, or a mask where no window shifts, is unexplained.
$ sed 's/^\(tensor layers.1.blocks.0.attn.relative_position_index I64\) .*/\1 48 48/' test/cli/timm/tiny-swin.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-swin.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
wrong shape  layers.1.blocks.0.attn.relative_position_index  expected  [49, 49]  found  [48, 48]
0
[1]
$ (cat test/cli/timm/tiny-swin.txt; echo tensor layers.1.blocks.0.attn_mask F32 1 49 49) >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-swin.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
unexpected  layers.1.blocks.0.attn_mask  [1, 49, 49]  unknown
2401
[1]
# An argument changes each size that depends on it; a missing tensor, another width, or a depth and width that
# differ from the file's are refused.
$ echo '{"architecture": "mobilenetv3_large_100", "model_args": {"depth_multiplier": 1.4}}' >$T/c.json; numel formula -q $T/c.json
8501032
$ echo '{"architecture": "regnety_004", "model_args": {"w0": 32, "depth": 14}}' >$T/c.json; numel formula -q $T/c.json
2223428
$ echo '{"architecture": "nf_resnet26", "model_args": {"width_factor": 0.5}}' >$T/c.json; numel formula -q $T/c.json
4521608
$ mkhead -q test/cli/timm/tiny-efficientnet.txt $T/tiny >$T/said; cp test/cli/timm/tiny-efficientnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | grep ^agrees; numel reconcile -q tiny
agrees: all expected tensors are present, the others are accounted for
0
$ sed '/blocks.1.1.bn1.bias/d' test/cli/timm/tiny-efficientnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-efficientnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
missing  blocks.1.1.bn1.bias  [64]
0
[1]
$ sed 's/^\(tensor blocks.2.0.conv_pwl.weight F32\) [0-9]*/\1 25/' test/cli/timm/tiny-efficientnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; cp test/cli/timm/tiny-efficientnet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
wrong shape  blocks.2.0.conv_pwl.weight  expected  [16, 64, 1, 1]  found  [25, 64, 1, 1]
0
[1]
$ mkhead -q test/cli/timm/tiny-efficientnet.txt $T/tiny >$T/said; sed 's/"depth_multiplier": 1.6/"depth_multiplier": 1.0/' test/cli/timm/tiny-efficientnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | grep -c -e ^unexpected; numel reconcile -q tiny
1
40654
[1]
$ mkhead -q test/cli/timm/tiny-efficientnet.txt $T/tiny >$T/said; sed 's/"channel_multiplier": 0.5/"channel_multiplier": 0.75/' test/cli/timm/tiny-efficientnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | grep -c -e '^wrong shape'; numel reconcile -q tiny
1
0
[1]
# An argument that a specification does not support is refused, unless it has the architecture's own value.
$ echo '{"architecture": "darknet53", "model_args": {"depths": [1, 1, 1, 1, 1]}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: darknet53 has an unsupported argument: depths
[3]
# The same for widths or depths of a pruned network, whose blocks are listed one by one in the table.
$ echo '{"architecture": "ecaresnet50d_pruned", "model_args": {"layers": [1, 1, 1, 1]}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: ecaresnet50d_pruned has an unsupported argument: layers
[3]
$ echo '{"architecture": "efficientnet_b1_pruned", "model_args": {"channel_multiplier": 2.0}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: efficientnet_b1_pruned has an unsupported argument: channel_multiplier
[3]
$ echo '{"architecture": "coat_tiny", "model_args": {"num_classes": 3, "img_size": [224, 224]}}' >$T/c.json; cd $T; numel formula -q c.json
5345999
$ echo '{"architecture": "coat_tiny", "model_args": {"num_classes": 3, "embed_dims": [152, 152, 152, 152]}}' >$T/c.json; cd $T; numel formula -q c.json
5345999
$ echo '{"architecture": "coat_tiny", "model_args": {"num_classes": 3, "embed_dims": [152, 152, 152, 96]}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: parallel_depth is not 0, but embed_dims 2 to 4 differ
[3]
# A class's defaults may be stated explicitly.
$ echo '{"architecture": "hiera_tiny_224", "model_args": {"sep_pos_embed": false}}' >$T/c.json; cd $T; numel formula -q c.json
27910216
$ echo '{"architecture": "hiera_tiny_224", "model_args": {"sep_pos_embed": true}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: hiera_tiny_224 has an unsupported argument: sep_pos_embed
[3]
$ echo '{"architecture": "levit_128s", "model_args": {"depth": [1, 1, 1], "key_dim": 8}}' >$T/c.json; cd $T; numel formula -q c.json
3923190
$ echo '{"architecture": "twins_svt_small", "model_args": {"depths": [1, 2, 1, 2]}}' >$T/c.json; cd $T; numel formula -q c.json
9021288
$ echo '{"architecture": "twins_svt_small", "model_args": {"block_cls": "Other"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: twins_svt_small has an unsupported argument: block_cls
[3]
# The image size is used, changes no tensor, or is refused.
$ echo '{"architecture": "coat_tiny", "model_args": {"num_classes": 3, "img_size": [96, 96]}}' >$T/c.json; cd $T; numel formula -q c.json
5345999
$ echo '{"architecture": "tnt_s_patch16_224", "model_args": {"in_chans": 1, "img_size": 96}}' >$T/c.json; cd $T; numel formula -q c.json
23704792
$ echo '{"architecture": "botnet26t_256", "model_args": {"img_size": [96, 96]}}' >$T/c.json; cd $T; numel formula -q c.json
12478432
$ echo '{"architecture": "hrnet_w18", "model_args": {"img_size": [96, 96]}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: hrnet_w18 has an unsupported argument: img_size
[3]
# An unknown kind of attention or norm is not treated as the usual one.
$ echo '{"architecture": "efficientnet_b0", "model_args": {"se_layer": "cbam"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'cbam' (se_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "resnet50", "model_args": {"block_args": {"attn_layer": "cbam"}}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'cbam' (attn_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "botnet26t_256", "model_args": {"self_attn_layer": "lepe"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'lepe' (self_attn_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "resnetv2_50d_evos", "model_args": {"norm_layer": "EvoNorm2dB0"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'EvoNorm2dB0' (norm_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "resnet18", "model_args": {"norm_layer": "frozenbatchnorm2d"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'frozenbatchnorm2d' (norm_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "resnet18", "model_args": {"norm_layer": "groupnorm", "num_classes": 10}}' >$T/c.json; cd $T; numel formula -q c.json
11181642
# A specification ignores arguments that the class does not accept, even if the table has the word; arguments that
# change no tensor, or are null, pass.
$ echo '{"architecture": "resnet50", "model_args": {"frobnicate": 3}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: resnet50 has an unsupported argument: frobnicate
[3]
$ echo '{"architecture": "resnet50", "model_args": {"widths": [8, 16, 24, 32]}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: resnet50 has an unsupported argument: widths
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"dept": 3}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: vit_tiny_patch16_224 has an unsupported argument: dept
[3]
$ echo '{"model_type": "timm_wrapper", "architecture": "resnet50", "num_classes": 9, "model_args": {"a,b": 3}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: resnet50 has an unsupported argument: a,b
[3]
$ echo '{"architecture": "resnet50", "model_args": {"drop_path_rate": 0.1, "zero_init_last": true, "scriptable": false, "frobnicate": null}}' >$T/c.json; cd $T; numel formula -q c.json
25557032
$ mkhead -q test/cli/timm/tiny-resnet.txt $T/tiny >$T/said; sed 's/"channels"/"frobnicate": 3, "channels"/' test/cli/timm/tiny-resnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | tail -1; numel reconcile -q tiny
invalid configuration, no formula: tiny/config.json: resnet18 has an unsupported argument: frobnicate
[1]
# In transformers' wrapper every name has a prefix; the class without a head has none.
$ sed 's/^tensor /&timm_model./' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; sed '1a "model_type": "timm_wrapper", "architectures": ["TimmWrapperForImageClassification"],' test/cli/timm/tiny-resnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_wrapper (by tiny/config.json)
agrees: all expected tensors are present, the others are accounted for
parameters     63,037 (63.04 K)
$ sed 's/^tensor /&timm_model./; /fc[.]/d' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/tiny >$T/said; sed '1a "model_type": "timm_wrapper", "architectures": ["TimmWrapperModel"],' test/cli/timm/tiny-resnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_wrapper (by tiny/config.json)
agrees: all expected tensors are present, the others are accounted for
parameters     62,832 (62.83 K)
$ mkhead -q test/cli/timm/tiny-resnet.txt $T/tiny >$T/said; sed '1a "model_type": "timm_wrapper", "architectures": ["TimmWrapperModel"],' test/cli/timm/tiny-resnet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | grep -e ^architecture -e ^agrees -e ^parameters -e ^unexpected
architecture  timm_wrapper (by tiny/config.json)
parameters     0
# Without its configuration the tensors identify it: unchanged, in the wrapper, with another head; not with a
# missing tensor.
$ mkhead -q test/cli/timm/test-resnet.txt $T/test >$T/said; cd $T; numel reconcile test | grep -e ^architecture -e ^agrees -e ^parameters
architecture  test_resnet (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     469,688 (469.69 K)
$ sed 's/^tensor /&timm_model./' test/cli/timm/test-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/test >$T/said; cd $T; numel reconcile test | grep -e ^architecture -e ^agrees -e ^parameters
architecture  test_resnet (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     469,688 (469.69 K)
$ sed 's/^\(tensor fc[.a-z]* F32\) 1000/\1 9/' test/cli/timm/test-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/test >$T/said; cd $T; numel reconcile test | grep -e ^architecture -e ^agrees -e ^parameters
architecture  test_resnet (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     373,561 (373.56 K)
$ sed '/layer2.0.conv2/d' test/cli/timm/test-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/test >$T/said; cd $T; numel reconcile test | grep -e ^architecture -e ^agrees -e ^parameters
architecture  unknown, no configuration
$ sed 's/^\(tensor fc.bias F32\) 1000/\1 9/' test/cli/timm/test-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/test >$T/said; cd $T; numel reconcile test | grep -e ^architecture -e ^agrees -e ^parameters
architecture  test_resnet (by the tensors' names and shapes)
parameters     468,697 (468.70 K)
# Arguments that the tensors show may be absent, lists included: with another depth and width the class is
# identified. Neighbours are not.
$ mkhead -q test/cli/timm/tiny-resnet.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_resnets (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     63,037 (63.04 K)
$ sed '/layer3.0.bn1.running_var/d' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  layer3.0.bn1.running_var  [24]
$ sed 's/^\(tensor layer3.1.conv2.weight F32\) 24/\1 25/' test/cli/timm/tiny-resnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
wrong shape  layer3.1.conv2.weight  expected  [24, 24, 3, 3]  found  [25, 24, 3, 3]
$ mkhead -q test/cli/timm/tiny-convnext.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_convnext (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     166,797 (166.80 K)
$ sed '/stages.1.blocks.1.mlp.fc1.bias/d' test/cli/timm/tiny-convnext.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  stages.1.blocks.1.mlp.fc1.bias  [160]
$ sed '/attn_mask/d;/relative_position_index/d' test/cli/timm/tiny-swin.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_swins (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     14,183 (14.18 K)
$ sed '/attn_mask/d;/relative_position_index/d;s/^\(tensor layers.0.blocks.1.attn.relative_position_bias_table F32\) 169/\1 225/' test/cli/timm/tiny-swin.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
wrong shape  layers.0.blocks.1.attn.relative_position_bias_table  expected  [169, 2]  found  [225, 2]
# So are the arguments of the other classes. A value that only the absence of one tensor shows is rejected, and so is an image whose sides have no simple ratio. A line whose
# if= was inferred still requires its statistics: lost ones are reported missing.
$ mkhead -q test/cli/timm/tiny-vit.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_vit (by the tensors' names and shapes; also fits: timm_eva)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     333,617 (333.62 K)
$ sed '/^tensor cls_token/d' test/cli/timm/tiny-vit.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ sed '/^tensor pos_embed/d' test/cli/timm/tiny-vit.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  pos_embed  [1, 197, 96]
$ sed 's/^\(tensor pos_embed F32 1\) 37/\1 25/' test/cli/timm/tiny-vit.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep ^agrees
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
$ sed 's/^\(tensor pos_embed F32 1\) 37/\1 38/' test/cli/timm/tiny-vit.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ sed '/^tensor blocks.0.attn.qkv.bias/d' test/cli/timm/tiny-vit.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
unexpected  blocks.1.attn.qkv.bias  [288]  unknown
$ mkhead -q test/cli/timm/narrow-vgg.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_vgg (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     69,210,435 (69.21 M)
$ sed '/features.29.running_mean/d' test/cli/timm/narrow-vgg.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  features.29.running_mean  [512]
$ sed '/features.29.running_mean/s/F32/I64/' test/cli/timm/narrow-vgg.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
wrong type  features.29.running_mean  expected  [512]  float  found  [512]  I64
$ sed '/head.fc.weight/d' test/cli/timm/narrow-vgg.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  head.fc.weight  [3, 4096]
# The network before a hybrid's patches is not code of its class: its tensors identify it, and the rest is inferred. Another's tensor, a missing one
# or an extra one is not accepted.
$ mkhead -q test/cli/timm/tiny-hybrid.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_vit (by the tensors' names and shapes; with the network of vit_tiny_r_s16_p8_224 before the patches)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     738,120 (738.12 K)
$ sed 's/^\(tensor pos_embed F32 1\) 147/\1 83/' test/cli/timm/tiny-hybrid.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep ^agrees
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
$ sed 's/^\(tensor patch_embed.backbone.conv.weight F32 64 3\) 7 7/\1 5 5/' test/cli/timm/tiny-hybrid.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ sed '/backbone.norm.bias/d' test/cli/timm/tiny-hybrid.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ (cat test/cli/timm/tiny-hybrid.txt; echo tensor patch_embed.backbone.norm2.bias F32 64) >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ sed 's/^\(tensor blocks.1.mlp.fc1.bias F32\) 384/\1 385/' test/cli/timm/tiny-hybrid.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
wrong shape  blocks.1.mlp.fc1.bias  expected  [384]  found  [385]
# A Gemma 4 tower, whose projections store clipping limits: with its configuration and without.
$ mkhead -q test/cli/timm/tiny-gemma4.txt $T/tower >$T/said; cp test/cli/timm/tiny-gemma4.json $T/tower/config.json; cd $T; numel reconcile tower | grep -e ^agrees -e ^parameters
agrees: all expected tensors are present, the others are accounted for
parameters     3,673,104 (3.67 M)
$ mkhead -q test/cli/timm/tiny-gemma4.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees -e ^parameters
architecture  timm_gemma4 (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
parameters     3,673,104 (3.67 M)
$ sed '/mlp.up_proj.output_min/d' test/cli/timm/tiny-gemma4.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | tail -1
missing  blocks.0.mlp.up_proj.output_min  []
$ mkhead -q test/cli/timm/tiny-gemma4.txt $T/tower >$T/said; sed 's/"use_clipped_linears":true/"use_clipped_linears":false/' test/cli/timm/tiny-gemma4.json >$T/tower/config.json; cd $T; numel reconcile tower | grep -c ^agrees
0
[1]
$ mkhead -q test/cli/timm/tiny-gemma4.txt $T/tower >$T/said; sed 's/"depth":1/"depth":2/' test/cli/timm/tiny-gemma4.json >$T/tower/config.json; cd $T; numel reconcile tower | grep -c ^agrees
0
[1]
# An unknown word is refused by name, rather than read as the usual one.
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"attn_layer": "linear"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'linear' (attn_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"block_fn": "MyBlock"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'MyBlock' (block_fn) is not a value that this specification knows
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"mlp_layer": "KanMlp"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'KanMlp' (mlp_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"norm_layer": "batchnorm2d"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'batchnorm2d' (norm_layer) is not a value that this specification knows
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"pos_embed": "rope"}}' >$T/c.json; cd $T; numel formula -q c.json
numel: c.json: 'rope' (pos_embed) is not a value that this specification knows
[3]
$ echo '{"architecture": "vit_tiny_patch16_224", "model_args": {"attn_layer": "diff"}}' >$T/c.json; cd $T; numel formula c.json | grep -c lambda
4
# A stage that does not shrink needs no shortcut.
$ echo '{"architecture": "xception71", "model_args": {"output_stride": 8}}' >$T/c.json; cd $T; numel formula c.json | grep -o '^total  *41,807,296'
total       41,807,296
# An EfficientNet with a stage of plain convolutions, of another width and depth, is identified without its configuration too; without a norm, or with another kernel, it does not agree.
$ mkhead -q test/cli/timm/tiny-efficientnet.txt $T/other >$T/said; cd $T; numel reconcile other | grep -e ^architecture -e ^agrees
architecture  timm_efficientnet (by the tensors' names and shapes)
agrees in part: all expected tensors are present; some sizes are in no configuration and are inferred from the tensors
$ sed '/blocks.1.1.bn1.bias/d' test/cli/timm/tiny-efficientnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]
$ sed 's/^\(tensor blocks.2.0.conv_pwl.weight F32\) [0-9]*/\1 25/' test/cli/timm/tiny-efficientnet.txt >$T/x.txt; mkhead -q $T/x.txt $T/other >$T/said; cd $T; numel reconcile other | grep -c ^agrees
0
[1]

# CoaT's shared blocks may be stored once, under the first of their names, but must not be missing.
$ zstd -dcq --long=27 fixtures/oracle/timm_sizes.jsonl.zst | grep '"timm/coat_tiny/1"' >$T/coat.json; for gone in none cpe1.proj.weight; do rm -rf $T/once; python3 test/support/once.py $T/coat.json $gone >$T/once.json; mkhead -q --sparse --json $T/once.json $T/once >$T/said; echo '{"architecture": "coat_tiny", "model_args": {"num_classes": 3}}' >$T/once/config.json; numel reconcile $T/once | grep -E '^(agrees|disagrees|missing|parameters)'; done
agrees: all expected tensors are present, and no others
parameters     5,345,999 (5.35 M)
missing            1     -1,368  cpe1.proj.weight
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected
parameters     5,344,631 (5.34 M)
missing  cpe1.proj.weight  [152, 1, 3, 3]
