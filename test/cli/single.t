# Multi-part models in one file, each part under a prefix, as ComfyUI, A1111 and Civitai distribute them. Names and
# shapes come from test/truth/components/single.jsonl.zst; the data is a hole.
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SD1.5 v1-5-pruned-emaonly (with schedule buffers)" $T/sd15.safetensors; cd $T; numel sd15.safetensors
sd15.safetensors
components  SD 1.x (single file)

component        class                files     elements   parameters  type       size  verdict
diffusion_model  SD 1.x                   1  859,520,964  859,520,964  F16     1.6 GiB  agrees   model.diffusion_model.
vae              SD VAE                   1   83,653,863   83,653,863  F16   159.5 MiB  agrees   first_stage_model.
text_encoder     CLIP-L text encoder      1  123,060,557  123,060,480  F16   234.7 MiB  agrees   cond_stage_model.
buffers                                   1       12,000                      46.8 KiB  agrees   'betas' and 11 tensors more: known by name, shape and type

total       3 components in 1 file, 1,066,247,384 (1.07 B) elements, 1.9 GiB
parameters  1,066,235,307 (1.07 B)
verdict     agrees: each component agrees, and there is nothing else
$ cd $T; numel identify sd15.safetensors; numel -q sd15.safetensors; numel list sd15.safetensors | head -2
sd15.safetensors  safetensors, 1,143 tensors, 1,066,247,384 elements: checkpoint (SD 1.x; UNet 859,520,964, VAE 83,653,863, text encoder 123,060,480)
1066247384
name              architecture  parameters  quantization     size  files  verdict
sd15.safetensors  SD 1.x            1.07 B  F16           1.9 GiB      1  agrees
# each component's own statement
$ cd $T; numel reconcile sd15.safetensors | grep -E '^(diffusion_model|vae|text_encoder|architecture|agrees|stored|total|verdict)'
diffusion_model
architecture  SD 1.x (by the names of its tensors)
stored           686  859,520,964
agrees: all expected tensors are present, and no others
vae
architecture  SD VAE (by the names of its tensors)
stored           248  83,653,863
agrees: all expected tensors are present, and no others
text_encoder
architecture  CLIP-L text encoder (by the names of its tensors)
stored           197  123,060,557
agrees: all expected tensors are present, the others are accounted for
diffusion_model  SD 1.x                   1  859,520,964  859,520,964  F16     1.6 GiB  agrees   model.diffusion_model.
vae              SD VAE                   1   83,653,863   83,653,863  F16   159.5 MiB  agrees   first_stage_model.
text_encoder     CLIP-L text encoder      1  123,060,557  123,060,480  F16   234.7 MiB  agrees   cond_stage_model.
total       3 components in 1 file, 1,066,247,384 (1.07 B) elements, 1.9 GiB
verdict     agrees: each component agrees, and there is nothing else
$ cd $T; numel tensors sd15.safetensors --json | head -1; numel tensors sd15.safetensors -m betas
{"name":"alphas_cumprod","dtype":"F32","shape":[1000],"elements":1000,"bytes":4000,"offset":2132631390,"file":"sd15.safetensors","role":null,"class":null,"bytes_inferred":false,"ground":"shape","logical":null,"layout":null,"judgement":{"kind":"several models","verdict":"agrees","architecture":"SD 1.x","name":"SD 1.x","known_by":"names and shapes","causes":[]},"component":"buffers"}
name   type  shape   elements  bytes      offset
betas  F32   [1000]     1,000  4,000  2132627390
# SDXL: two text encoders, and inpainting, shown by its 9 channels
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SDXL inpainting 0.1" $T/sdxl.safetensors; cd $T; numel reconcile sdxl.safetensors | tail -10; numel identify sdxl.safetensors

component        class                    files       elements     parameters  type       size  verdict
diffusion_model  SDXL inpainting              1  2,567,478,084  2,567,478,084  F16     4.7 GiB  agrees   model.diffusion_model.
vae              SD VAE                       1     83,653,863     83,653,863  F16   159.5 MiB  agrees   first_stage_model.
text_encoder     CLIP-L text encoder          1    123,060,557    123,060,480  F16   234.7 MiB  agrees   conditioner.embedders.0.
text_encoder_2   OpenCLIP-G text encoder      1    694,659,841    694,659,841  F16     1.2 GiB  agrees   conditioner.embedders.1.

total       4 components in 1 file, 3,468,852,345 (3.47 B) elements, 6.4 GiB
parameters  3,468,852,268 (3.47 B)
verdict     agrees: each component agrees, and there is nothing else
sdxl.safetensors  safetensors, 2,515 tensors, 3,468,852,345 elements: checkpoint (SDXL inpainting; UNet 2,567,478,084, VAE 83,653,863, text encoders 123,060,480 + 694,659,841)
# its diffusion model alone, and the components then missing
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SDXL base" $T/base.safetensors; cd $T; numel base.safetensors; numel identify base.safetensors
base.safetensors
components  SDXL base (single file)

component        class      files       elements     parameters  type     size  verdict
diffusion_model  SDXL base      1  2,567,463,684  2,567,463,684  F16   4.7 GiB  agrees   model.diffusion_model.
vae                                                                                      not in this file
text_encoder                                                                             not in this file

total       1 component in 1 file, 2,567,463,684 (2.57 B) elements, 4.7 GiB
parameters  2,567,463,684 (2.57 B)
verdict     agrees: each component agrees, and there is nothing else
base.safetensors  safetensors, 1,680 tensors, 2,567,463,684 elements: diffusion model (SDXL base; UNet 2,567,463,684; no VAE, no text encoder)
# averaged weights are a separate set, and do not count twice
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SD1.4" $T/ema.safetensors averaged; cd $T; numel ema.safetensors | tail -9
diffusion_model  SD 1.x      1  859,520,964  859,520,964  F16   1.6 GiB  agrees   model.diffusion_model.
  ema                        1  859,520,964  859,520,964  F32   3.2 GiB  agrees   model_ema. (not counted)
vae                                                                               not in this file
text_encoder                                                                      not in this file
buffers                      1            2                         8 B  agrees   'model_ema.decay' and 1 tensor more: known by name, shape and type

total       1 component in 1 file, 859,520,966 (859.52 M) elements, 1.6 GiB
parameters  859,520,964 (859.52 M)
verdict     agrees: each component agrees, and there is nothing else
# a missing tensor, an unknown one, an extra row
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SD1.4" $T/bad.safetensors broken; cd $T; numel reconcile bad.safetensors | tail -9; numel reconcile bad.safetensors >/dev/null

component        class   files     elements   parameters  type     size  verdict
diffusion_model  SD 1.x      1  859,519,685  859,519,685  F16   1.6 GiB  disagrees  model.diffusion_model.
vae                                                                                 not in this file
text_encoder                                                                        not in this file
unexplained                  1            3                         6 B  disagrees  'nobodys.weight': unknown, in no component

total    1 component in 1 file, 859,519,688 (859.52 M) elements, 1.6 GiB
verdict  disagrees: 2 disagrees
[1]
# single-model files: text encoders, an IP-adapter
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "t5xxl encoder (t5xxl_fp16.safetensors)" $T/t5.safetensors; PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "ip-adapter_sdxl (ViT-bigG)" $T/ip.safetensors; cd $T; numel identify t5.safetensors ip.safetensors; numel reconcile ip.safetensors | grep agrees
t5.safetensors  safetensors, 219 tensors, 4,762,310,656 elements: text encoder (T5-XXL encoder)
ip.safetensors  safetensors, 144 tensors, 351,285,248 elements: adapter (ip-adapter) of SDXL
agrees: 144 tensors, complete for their kind, with the sizes of that family
# commands for single models report each component by name; memory adds them up
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SD1.5 v1-5-pruned-emaonly (no schedule)" $T/sd15.safetensors; cd $T; numel formula sd15.safetensors | grep -E '^(diffusion_model|vae|text_encoder|architecture|total)'; numel print sd15.safetensors 2>/dev/null | grep -E '^(diffusion_model|vae|text_encoder)$'
diffusion_model
architecture  SD 1.x (by the names of its tensors)
total       859,520,964 (859.52 M)
vae
architecture  SD VAE (by the names of its tensors)
total       83,653,863 (83.65 M)
text_encoder
architecture  CLIP-L text encoder (by the names of its tensors)
total       123,060,480 (123.06 M)
diffusion_model
vae
text_encoder
$ cd $T; numel memory sd15.safetensors | grep -E '^(diffusion_model|vae|text_encoder|weights|total)'; numel explain 83653863 sd15.safetensors | grep -E '^(vae|explained)'
diffusion_model  SD 1.x                 1.60 GiB    0 B  model.diffusion_model.
vae              SD VAE               159.56 MiB    0 B  first_stage_model.
text_encoder     CLIP-L text encoder  234.72 MiB    0 B  cond_stage_model.
weights          2,132,471,230  1.99 GiB
vae
explained to the last element
# differences per component; equal ones are not listed
$ PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "SD1.4" $T/whole.safetensors; cd $T; numel diff whole.safetensors bad.safetensors | sed -n '/^component/,/^$/p'; numel diff whole.safetensors ema.safetensors | grep -A3 ^component; numel diff whole.safetensors whole.safetensors | grep -c ^component
component        same  changed  only in a  only in b
diffusion_model   684        1          1          0
unexplained         0        0          0          1

component            same  changed  only in a  only in b
diffusion_model       686        0          0          0
diffusion_model.ema     0        0          0        686
buffers                 0        0          0          2
0
[1]
