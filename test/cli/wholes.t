# list --fit: a diffusion model in ComfyUI's folders, with the encoders and the autoencoder that its product reads. In
# bytes: FLUX.1 23,802,816,640, Chroma 17,799,966,848, T5-XXL 9,524,621,312, in FP8 4,762,511,360 (the vectors stay F16),
# CLIP-L 246,120,960, VAE 167,639,366. With the T5 in FP8, FLUX.1 takes 28,979,088,326 and Chroma, which reads no CLIP,
# 22,730,117,574: 24 GiB are 25,769,803,776, 3,039,686,202 more. Nothing reads the UMT5.
$ w() { PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "$@"; }; F="FLUX.1 checkpoint with vae and text encoders (ComfyUI)"; cd $T; mkdir -p models/diffusion_models models/unet models/text_encoders models/clip/l models/vae models/checkpoints; cd - >/dev/null; m=$T/models; w "FLUX.1-dev [model.diffusion_model.]" $m/diffusion_models/flux1-dev.safetensors; w Chroma1-HD $m/unet/chroma.safetensors; w "$F" $m/clip/l/clip_l.safetensors text_encoders.clip_l.transformer.; w "$F" $m/text_encoders/t5xxl_fp16.safetensors text_encoders.t5xxl.transformer.; w "$F" $m/text_encoders/t5xxl_fp8.safetensors text_encoders.t5xxl.transformer. F8_E4M3; w "$F" $m/vae/ae.safetensors vae.; w "umt5-xxl encoder (Wan, ComfyUI names)" $m/text_encoders/a-umt5.safetensors; w "SD3.5 medium [model.diffusion_model.]" $m/checkpoints/sd3.5.safetensors; cd $T; numel list --fit rtx4090 models
name                                    architecture                 parameters  quantization   bits       size  files  fits       verdict
checkpoints/sd3.5.safetensors           Stable Diffusion 3.5 medium      2.24 B  F16                    4.5 GiB      1  not known  agrees
clip/l/clip_l.safetensors               CLIP-L text encoder            123.06 M  F16           16.00  234.7 MiB      1  not known  agrees
diffusion_models/flux1-dev.safetensors  FLUX.1-dev                      11.90 B  F16                   22.1 GiB      1  not known  agrees
text_encoders/a-umt5.safetensors        UMT5-XXL encoder                 5.68 B  F16           16.00   10.5 GiB      1  not known  agrees
text_encoders/t5xxl_fp8.safetensors     T5-XXL encoder                   4.76 B  F8_E4M3        8.00    4.4 GiB      1  not known  agrees
text_encoders/t5xxl_fp16.safetensors    T5-XXL encoder                   4.76 B  F16           16.00    8.8 GiB      1  not known  agrees
unet/chroma.safetensors                 Chroma                           8.90 B  F16           16.00   16.5 GiB      1  not known  agrees
vae/ae.safetensors                      SD3 or FLUX.1 VAE               83.82 M  F16           16.00  159.8 MiB      1  not known  agrees

With the text encoders and the VAE that each model reads, all loaded at once
model                                   architecture                    takes     left  fits
checkpoints/sd3.5.safetensors           Stable Diffusion 3.5 medium                     not known    with l/clip_l.safetensors, t5xxl_fp8.safetensors, ae.safetensors; needs CLIP-G text encoder, not in text_encoders or clip
diffusion_models/flux1-dev.safetensors  FLUX.1-dev                   26.9 GiB           no           with l/clip_l.safetensors, t5xxl_fp8.safetensors, ae.safetensors
unet/chroma.safetensors                 Chroma                       21.1 GiB  2.8 GiB  weights fit  with t5xxl_fp8.safetensors, ae.safetensors

total  8 checkpoints, 8 files, 67.6 GiB, 38.46 B parameters
# 28,979,088,326 of 34,359,738,368; the table is printed with --fit only, and not in CSV or JSON
$ cd $T; numel list --fit 32GiB models | grep '^diffusion_models.*with'; numel list models | grep -c with; numel list --fit 32GiB --csv --sort bytes models | grep -c with; numel list --fit 32GiB --json models | grep -c with
diffusion_models/flux1-dev.safetensors  FLUX.1-dev                   26.9 GiB   5.0 GiB  weights fit  with l/clip_l.safetensors, t5xxl_fp8.safetensors, ae.safetensors
0
0
0
[1]
# some of the models, in their folder, alone, or from inside: the folders next to theirs count all the same
$ cd $T; numel list --fit 24GiB models/unet | sed -n '/^model/,/^$/p'; numel list --fit 24GiB $PWD/models/unet/chroma.safetensors | sed -n '/^model/,/^$/p'; cd models; numel list --fit 24GiB unet | sed -n '/^model/,/^$/p'
model               architecture     takes     left  fits
chroma.safetensors  Chroma        21.1 GiB  2.8 GiB  weights fit  with t5xxl_fp8.safetensors, ae.safetensors

model               architecture     takes     left  fits
chroma.safetensors  Chroma        21.1 GiB  2.8 GiB  weights fit  with t5xxl_fp8.safetensors, ae.safetensors

model               architecture     takes     left  fits
chroma.safetensors  Chroma        21.1 GiB  2.8 GiB  weights fit  with t5xxl_fp8.safetensors, ae.safetensors
# without the T5, or if it is in another folder or damaged: the sum is unknown. What has no sum may be too large. A file
# that is not recognized may be what is needed
$ cd $T; mkdir -p else; mv models/text_encoders/t5* else; numel list --fit 24GiB models/unet | sed -n '/^model/,/^$/p'; cp else/t5xxl_fp8.safetensors models/vae; numel list --fit 24GiB models/unet | sed -n '/^model/,/^$/p'; rm models/vae/t5*; head -c 100000 else/t5xxl_fp8.safetensors >models/text_encoders/t5.safetensors; numel list --fit 24GiB models/unet | sed -n '/^model/,/^$/p'; numel list --fit 8GiB models/unet | sed -n '/^model/,/^$/p'
model               architecture  fits
chroma.safetensors  Chroma        not known  with ae.safetensors; needs T5-XXL encoder, not in text_encoders or clip

model               architecture  fits
chroma.safetensors  Chroma        not known  with ae.safetensors; needs T5-XXL encoder, not in text_encoders or clip

model               architecture  fits
chroma.safetensors  Chroma        not known  with ae.safetensors; needs T5-XXL encoder, not in text_encoders or clip (t5.safetensors was not recognized)

model               architecture  fits
chroma.safetensors  Chroma        no    with ae.safetensors; needs T5-XXL encoder, not in text_encoders or clip (t5.safetensors was not recognized)
# a file with all of it needs nothing; one folder, of the wrong name, has none. Links are one file
$ cd $T; rm models/text_encoders/t5.safetensors; mkdir -p other/clips; cp else/t5xxl_fp8.safetensors other/clips; PYTHONDONTWRITEBYTECODE=1 python3 $OLDPWD/test/truth/components/single.py -w "FLUX.1 checkpoint with vae and text encoders (ComfyUI)" models/checkpoints/all.safetensors; mkdir other/checkpoints; ln -s $PWD/models/checkpoints/all.safetensors other/checkpoints/; ln -s $PWD/models/unet other/unet; numel list --fit 48GiB other | sed -n '/^model/,/^$/p'
model                        architecture     takes      left  fits
checkpoints/all.safetensors  FLUX.1-dev    31.4 GiB  16.5 GiB  weights fit
unet/chroma.safetensors      Chroma                            not known    needs T5-XXL encoder, not in text_encoders or clip; SD3 or FLUX.1 VAE, not in vae
# of Qwen3 4B and Mistral Small, FLUX.2 klein 4B reads the first: 7,680 inputs are three layers of 2,560
$ w() { PYTHONDONTWRITEBYTECODE=1 python3 test/truth/components/single.py -w "$@"; }; m=$T/flux2/models; mkdir -p $m/unet $m/text_encoders; w mistral_3_small_flux2 $m/text_encoders/a.safetensors; w qwen_3_4b $m/text_encoders/b.safetensors; w "FLUX.2 klein-4b" $m/unet/klein.safetensors; w "FLUX.2 flux2-dev" $m/unet/dev.safetensors; numel list --fit 24GiB $m | sed -n '/^model/,/^$/p'
model                   architecture     fits
unet/dev.safetensors    FLUX.2-dev       no         with a.safetensors; needs FLUX.2 VAE, not in vae
unet/klein.safetensors  FLUX.2 klein 4B  not known  with b.safetensors; needs FLUX.2 VAE, not in vae
