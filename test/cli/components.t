# Multi-part models in folders. test/truth/components/folders.tar.zst holds some that diffusers and
# sentence-transformers saved.
$ cd $T; zstd -dc --long=27 "$OLDPWD/test/truth/components/folders.tar.zst" | tar -xf - pipelines/tiny-flux sentence-transformers/t5-dense; mv pipelines/tiny-flux flux; mv sentence-transformers/t5-dense t5; ls -d flux t5
flux
t5
# from inside, by its path with a slash, and from above: the same
$ cd $T/flux; numel . | tail -1; numel ../flux/ | tail -1; cd ../t5; numel . | tail -1; numel list . ../flux/ | tail -2
verdict     agrees: all components are present, and each agrees
verdict     agrees: all components are present, and each agrees
verdict     agrees: all components are present, and each agrees

total  2 checkpoints, 6 files, 1.6 MiB, 831.41 K parameters
# a pipeline: components its index declares, and components that exist
$ cd $T; numel flux
flux
components  FluxPipeline (diffusers)

component          class                            files  elements  parameters  type       size  verdict
feature_extractor                                                                                          absent: null in the index
image_encoder                                                                                              absent: null in the index
scheduler          FlowMatchEulerDiscreteScheduler                                                         no weights
text_encoder       CLIPTextModel                        1    19,306      19,306  BF16   41.5 KiB  agrees
text_encoder_2     T5EncoderModel                       1    17,632      17,632  BF16   36.7 KiB  agrees
tokenizer          CLIPTokenizer                                                                           no weights
tokenizer_2        T5TokenizerFast                                                                         no weights
transformer        FluxTransformer2DModel               1   122,116     122,116  BF16  249.5 KiB  agrees
vae                AutoencoderKL                        1   653,093     653,093  BF16    1.2 MiB  agrees

total       4 components in 4 files, 812,147 (812.15 K) elements, 1.5 MiB
parameters  812,147 (812.15 K)
verdict     agrees: all components are present, and each agrees
$ cd $T; numel -q flux; numel list flux t5; numel identify flux/model_index.json t5/modules.json
812147
name  architecture         parameters  quantization      size  files  verdict
flux  FluxPipeline           812.15 K  BF16           1.5 MiB      4  agrees
t5    SentenceTransformer     19.26 K  F32           77.3 KiB      2  agrees

total  2 checkpoints, 6 files, 1.6 MiB, 831.41 K parameters
flux/model_index.json  pipeline: FluxPipeline (diffusers), 7 components, 2 absent
t5/modules.json        sentence-transformers modules, 4 items
# each component's own statement, followed by the grand total
$ cd $T; numel reconcile flux | grep -E '^(flux|agrees|no formula|total|verdict|components)'
flux/text_encoder/model.safetensors
agrees: all expected tensors are present, and no others
flux/text_encoder_2/model.safetensors
agrees: all expected tensors are present, and no others
flux/transformer/diffusion_pytorch_model.safetensors
agrees: all expected tensors are present, and no others
flux/vae/diffusion_pytorch_model.safetensors
agrees: all expected tensors are present, and no others
flux
components  FluxPipeline (diffusers)
total       4 components in 4 files, 812,147 (812.15 K) elements, 1.5 MiB
verdict     agrees: all components are present, and each agrees
$ cd $T; numel reconcile t5
t5/model.safetensors
architecture  t5 (by t5/config.json)
expression    V*E + L*(4*H*D*E + 2*E + 2*F*E) + B*H + E

symbol  value  evidence  from
E          32  declared  d_model
L           2  declared  num_layers
H           4  declared  num_heads
D           8  declared  d_kv
F          64  declared  d_ff
V          57  declared  vocab_size
B          32  declared  relative_attention_num_buckets

cause              tensors  elements
formula                 19    18,496  t5, 19 tensors expected
tied, stored once        0        +0  encoder.embed_tokens.weight
stored                  19    18,496
unexplained                        0

agrees: all expected tensors are present, and no others

parameters     18,496 (18.50 K)
non-embedding  16,544 (16.54 K)
active         18,496 (18.50 K)

t5/2_Dense/model.safetensors
architecture  sentence_transformers.Dense (by t5/2_Dense/config.json)
expression    O*I

symbol  value  evidence  from
I          32  declared  in_features
O          24  declared  out_features

cause        tensors  elements
formula            1       768  sentence_transformers.Dense, 1 tensor expected
stored             1       768
unexplained                  0

agrees: all expected tensors are present, and no others

parameters     768
non-embedding  768
active         768

t5
components  SentenceTransformer (sentence-transformers)

component      class        files  elements  parameters  type      size  verdict
0_Transformer  Transformer      1    18,496      18,496  F32   74.2 KiB  agrees
1_Pooling      Pooling                                                            no weights
2_Dense        Dense            1       768         768  F32    3.0 KiB  agrees
3_Normalize    Normalize                                                          no weights

total       2 components in 2 files, 19,264 (19.26 K) elements, 77.3 KiB
parameters  19,264 (19.26 K)
verdict     agrees: all components are present, and each agrees
# tensor names begin with the component's name
$ cd $T; numel tensors t5 | tail -3; numel tensors t5 --json | grep -o '"component":"[^"]*"' | uniq -c

name                   type  shape     elements  bytes  offset  role
2_Dense.linear.weight  F32   [24, 32]       768  3,072      88  misc.dense
     19 "component":"0_Transformer"
      1 "component":"2_Dense"
$ cd $T; numel verify t5 | tail -5

total     2 checkpoints, 2 files
size      77.3 KiB
verdicts  2 complete, 0 damaged, 0 not fully checked, 0 unreadable
findings  0 errors, 0 warnings, 0 notes
# several sets of weights for one component: one counts
$ cd $T; cp flux/vae/diffusion_pytorch_model.safetensors flux/vae/diffusion_pytorch_model.fp16.safetensors; numel flux | grep -A1 '^vae'; numel -q flux
vae                AutoencoderKL                        1   653,093     653,093  BF16    1.2 MiB  agrees
  fp16                                                  1   653,093     653,093  BF16    1.2 MiB  agrees   not counted
812147
# an unknown class: the whole agrees in part, without a parameter count
$ cd $T; sed -i s/FluxTransformer2DModel/ModelOfNobody/ flux/model_index.json flux/transformer/config.json; numel flux | grep -A5 ^transformer; numel -q flux; numel list flux; numel reconcile flux >/dev/null
transformer        ModelOfNobody                        1   122,116              BF16  249.5 KiB  unknown
vae                AutoencoderKL                        1   653,093     653,093  BF16    1.2 MiB  agrees
  fp16                                                  1   653,093     653,093  BF16    1.2 MiB  agrees   not counted

total    4 components in 4 files, 812,147 (812.15 K) elements, 1.5 MiB
verdict  in part: 4 agrees, 1 unknown
812147
name  architecture  quantization     size  files  verdict
flux  FluxPipeline  BF16          1.5 MiB      5  in part

total  1 checkpoint, 5 files, 1.5 MiB (2.8 MiB on disk), 812.15 K elements in 1 checkpoint of unknown architecture
[4]
# a declared component that is missing, a wrong class, an undeclared component; exit status 1
$ cd $T; mv flux/text_encoder_2 flux/another; sed -i s/AutoencoderKL/VQModel/ flux/vae/config.json; numel flux | tail -8; numel verify flux | sed -n '/^flux$/,/^$/p; /component/,$p'
tokenizer_2        T5TokenizerFast                                                                           no weights
transformer        ModelOfNobody                        1   122,116              BF16  249.5 KiB  unknown
vae                AutoencoderKL                        1   653,093     653,093  BF16    1.2 MiB  disagrees  its config.json says VQModel
  fp16                                                  1   653,093     653,093  BF16    1.2 MiB  disagrees  its config.json says VQModel
another                                                 1    17,632      17,632  BF16   36.7 KiB  agrees     not in the index, not counted

total    3 components in 3 files, 794,515 (794.52 K) elements, 1.5 MiB
verdict  incomplete: 2 agrees, 1 unknown, 2 disagrees, 1 missing or incomplete
flux
levels  header, size, index, config

error  component-missing  model_index.json: component 'text_encoder_2'
                          (T5EncoderModel) is in the index, but its folder is
                          missing
error  component-foreign  model_index.json: component 'vae' (AutoencoderKL) is a
                          VQModel by its config.json, not what FluxPipeline
                          takes there: AutoencoderKL

warning  component-class  model_index.json: component 'vae' is AutoencoderKL in
                          the index, but its config.json says VQModel
warning  component-class  model_index.json: component 'vae' is AutoencoderKL in
                          the index, but its config.json says VQModel

note  component-unindexed  model_index.json: weights in 'another': the index
                           does not name that folder

incomplete: 2 errors, 2 warnings

total     6 checkpoints, 5 files
size      2.8 MiB
verdicts  2 complete, 3 damaged, 1 not fully checked, 0 unreadable
findings  16 errors, 2 warnings, 2 notes
# a module whose sizes differ from its configuration disagrees
$ cd $T; sed -i 's/"out_features": [0-9]*/"out_features": 5/' t5/2_Dense/config.json; numel reconcile t5 | tail -8
0_Transformer  Transformer      1    18,496      18,496  F32   74.2 KiB  agrees
1_Pooling      Pooling                                                              no weights
2_Dense        Dense            1       768         768  F32    3.0 KiB  disagrees
3_Normalize    Normalize                                                            no weights

total       2 components in 2 files, 19,264 (19.26 K) elements, 77.3 KiB
parameters  19,264 (19.26 K)
verdict     disagrees: 1 agrees, 1 disagrees
# patterns also match names with the component in front, in every component
$ cd $T; numel tensors flux --match 'vae.*.conv_out.bias'; numel tensors flux -m conv_in.bias -m nothing_of_it >$T/two; wc -l <$T/two
name                       type  shape  elements  bytes  offset  role
vae.decoder.conv_out.bias  BF16  [3]           3      6   14088  dec.out.bias
vae.encoder.conv_out.bias  BF16  [2]           2      4  815374  enc.out.bias

name                       type  shape  elements  bytes  offset  role
vae.decoder.conv_out.bias  BF16  [3]           3      6   14088  dec.out.bias
vae.encoder.conv_out.bias  BF16  [2]           2      4  815374  enc.out.bias
numel: no tensor name in any component matches 'nothing_of_it'
7
# a pattern without matches prints nothing, not even an empty line
$ cd $T; numel tensors flux -m nothing_of_it; numel tensors flux/vae -m nothing_of_it
numel: no tensor name in any component matches 'nothing_of_it'
numel: flux/vae/diffusion_pytorch_model.fp16.safetensors: none of its 120 tensor names contains 'nothing_of_it'
numel: flux/vae/diffusion_pytorch_model.safetensors: none of its 120 tensor names contains 'nothing_of_it'
[1]
# no weights exist here: the components declared in the index are named
$ cd $T; rm flux/*/*.safetensors; numel flux; numel verify t5 -q; rm t5/*.safetensors t5/*/*.safetensors; numel t5
numel: flux: none of the weights that model_index.json names are here: the folders of text_encoder, text_encoder_2, transformer, vae contain no .safetensors, .gguf or PyTorch file
numel: t5: none of the weights that modules.json names are here: the folders of 0_Transformer, 2_Dense contain no .safetensors, .gguf or PyTorch file
[3]
