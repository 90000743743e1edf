# hotshot.sh -- a pipeline whose UNet3DConditionModel uses one or two text encoders, for test/cli/pipeline.t:
#
#     . test/cli/hotshot.sh; pipe $T/p 128; said $T/p

# DIR TAKES [one]: the first encoder outputs 48 and, unless there is only one, the second 80
pipe() {
    rm -rf "$1"
    second=',"text_encoder_2":["transformers","CLIPTextModelWithProjection"]'
    [ "${3-}" = one ] && second=
    for c in unet vae text_encoder ${second:+text_encoder_2}; do
        mkdir -p "$1/$c"
        case $c in text*) file=model ;; *) file=diffusion_pytorch_model ;; esac
        printf 'file %s.safetensors\ntensor x F32 2\n' $file >"$1.txt"
        mkhead -q --data "$1.txt" "$1/$c" >"$1.said"
    done
    echo "{\"_class_name\":\"UNet3DConditionModel\",\"cross_attention_dim\":$2}" >"$1/unet/config.json"
    echo '{"_class_name":"AutoencoderKL","latent_channels":4}' >"$1/vae/config.json"
    echo '{"architectures":["CLIPTextModel"],"model_type":"clip_text_model","hidden_size":48}' >"$1/text_encoder/config.json"
    [ -z "$second" ] || echo '{"architectures":["CLIPTextModelWithProjection"],"model_type":"clip_text_model","hidden_size":80}' >"$1/text_encoder_2/config.json"
    echo "{\"_class_name\":\"HotshotXLPipeline\",\"unet\":[\"hotshot_xl\",\"UNet3DConditionModel\"],\"vae\":[\"diffusers\",\"AutoencoderKL\"],\"text_encoder\":[\"transformers\",\"CLIPTextModel\"]$second}" >"$1/model_index.json"
}

# verify's findings about the components.
said() { (cd "$1" && COLUMNS=300 numel verify . --no-truncate) | grep -A3 'component-' | sed 's/  */ /g' | grep -v '^$'; }
