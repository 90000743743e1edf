# A model without a specification is called unknown, with facts from names and shapes: never a language model.

# A diffusers UNet, a Stable Diffusion in one file, a timm network, an optimizer: status 4 from reconcile.
$ cd $T && st="python3 $OLDPWD/test/support/st.py" && mkdir u l t o && $st u/unet.safetensors down_blocks.0.conv.weight:F16:32x16x3x3:1 down_blocks.1.conv.weight:F16:32x16x3x3:1 up_blocks.0.conv.weight:F16:32x16x3x3:1 conv_in.weight:F16:32x4x3x3:3 && $st l/v1.safetensors model.diffusion_model.input_blocks.0.0.weight:F16:32x16x3x3:1 model.diffusion_model.out.2.weight:F16:4x16x3x3:1 first_stage_model.encoder.conv_in.weight:F16:128x3x3x3:1 cond_stage_model.transformer.text_model.encoder.layers.0.self_attn.q_proj.weight:F16:64x64:1 && $st t/model.safetensors stages.0.blocks.0.mlp.fc1.weight:F32:128x32:1 stages.0.blocks.1.mlp.fc1.weight:F32:128x32:1 stem.0.weight:F32:32x3x4x4:1 head.fc.weight:F32:10x32:1 && echo '{"architecture": "frobnext_tiny"}' >t/config.json && $st o/optimizer.safetensors exp_avg.model.layers.0.self_attn.q_proj.weight:F32:64x64:1 exp_avg.model.layers.1.self_attn.q_proj.weight:F32:64x64:1 exp_avg_sq.model.layers.0.self_attn.q_proj.weight:F32:64x64:1 exp_avg_sq.model.layers.1.self_attn.q_proj.weight:F32:64x64:1
$ cd $T && for m in u l t o; do numel reconcile $m >out; echo "[$?]"; grep -E '^(architecture|unknown|no formula)' out; numel identify $m/*.safetensors; numel list $m | sed -n 2p; numel formula $m | sed -n 1p; done
[4]
architecture  unknown, no configuration
unknown component  down_blocks: 2 tensors, 9,216 elements
unknown component  up_blocks: 1 tensor, 4,608 elements
unknown component  conv_in: 1 tensor, 1,152 elements
no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)
u/unet.safetensors  safetensors, 4 tensors, 14,976 elements: unknown
unet.safetensors  F16           16.00  29.6 KiB      1  not checked
architecture  unknown, everything below is inferred: no configuration (--config FILE, or --arch NAME with --set SYM=N)
[4]
architecture  unknown, no configuration
no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)
architecture  unknown, no configuration
no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)
architecture  unknown, no configuration
no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)
l/v1.safetensors  safetensors, 4 tensors, 12,736 elements: checkpoint (diffusion model 5,184, VAE 3,456, text encoder 4,096)
v1.safetensors  F16           25.3 KiB      1  not checked
diffusion_model
[4]
architecture  unknown, no specification for frobnext_tiny
unknown component  stages: 2 tensors, 8,192 elements
unknown component  stem: 1 tensor, 1,536 elements
unknown component  head: 1 tensor, 320 elements
no formula: no specification for architecture 'frobnext_tiny'
t/model.safetensors  safetensors, 4 tensors, 10,048 elements: unknown (frobnext_tiny)
t     frobnext_tiny  F32           32.00  39.5 KiB      1  unknown
architecture  unknown, everything below is inferred: no specification for architecture 'frobnext_tiny'
[4]
architecture  unknown, no configuration; by names and shapes: 2 layers (exp_avg.model.layers)
no formula: it has optimizer states, but no weights
o/optimizer.safetensors  safetensors, 4 tensors, 16,384 elements: training checkpoint, of optimizer (4 tensors)
optimizer.safetensors  F32           32.00  64.4 KiB      1  not checked
architecture  unknown, everything below is inferred: it has optimizer states, but no weights
# 32*16*9 = 4,608 per block: 9,216 for two; 4*16*9 = 576 and 4,608; 2*128*32 = 8,192; 2*64*64 = 8,192

# Components that fork below a common prefix; at most six, largest first. A number ends a prefix.
$ cd $T && mkdir n && python3 $OLDPWD/test/support/st.py n/a.safetensors $(for c in a b c d e f g h; do echo top.$c.0.w:F32:4x4:1 top.$c.1.w:F32:4x4:1; done) && numel reconcile n | grep -E -A6 '^unknown' | grep -E '^(unknown|\.\.\.)'
unknown component  top.a: 2 tensors, 32 elements
unknown component  top.b: 2 tensors, 32 elements
unknown component  top.c: 2 tensors, 32 elements
unknown component  top.d: 2 tensors, 32 elements
unknown component  top.e: 2 tensors, 32 elements
unknown component  top.f: 2 tensors, 32 elements
... and 2 more

# The same names with an unknown model_type.
$ cd $T && echo '{"model_type": "frob"}' >n/config.json && numel n | grep ^arch; numel reconcile n | grep ^arch; numel show --json n | grep '"architecture"'; numel formula n/config.json
architecture  unknown, no specification for frob (by config.json)
architecture  unknown, no specification for frob; by names and shapes: 2 layers (top.h)
 "judgement": {"kind":"model","verdict":"unknown","architecture":"frob","name":null,"known_by":null,"causes":[]},
 "architecture": {"name":"frob","spec":null,"from":"config.json","class":null},
numel: n/config.json: no specification for model_type 'frob'
[3]
