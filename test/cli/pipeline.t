# A diffusers pipeline whose UNet3DConditionModel receives the output of its two text encoders, concatenated
# (Hotshot-XL).
$ . test/cli/hotshot.sh; for n in 128 48 80; do echo "takes $n:"; pipe $T/p $n; said $T/p; done
takes 128:
takes 48:
error component-width model_index.json: component 'unet'
 (UNet3DConditionModel) takes 48 (cross_attention_dim),
 but 128 come out of text_encoder and text_encoder_2
takes 80:
error component-width model_index.json: component 'unet'
 (UNet3DConditionModel) takes 80 (cross_attention_dim),
 but 128 come out of text_encoder and text_encoder_2
$ . test/cli/hotshot.sh; for n in 48 128; do echo "one, takes $n:"; pipe $T/p $n one; said $T/p; done
one, takes 48:
one, takes 128:
error component-width model_index.json: component 'unet'
 (UNet3DConditionModel) takes 128 (cross_attention_dim),
 but 48 come out of text_encoder
