# Components of diffusers: config.json names the class in _class_name; no model type is there. Totals as the classes count them.
$ numel formula -q test/diffusers/sd15-unet.json
859520964
$ numel formula -q test/diffusers/sdxl-unet.json
2567463684
$ numel formula -q test/diffusers/sd-vae.json
83653863
$ numel formula -q test/diffusers/flux-dev.json
11901408320
# What the configuration leaves out is what the constructor has: SD 1.5 without its blocks and channels.
$ numel formula -q --set block_out_channels=[320,640,1280,1280] test/diffusers/sd15-unet.json && sed '/block/d; s/, "freq_shift.*layers_per_block.*2,$/,/' test/diffusers/sd15-unet.json | tr -d '\n' | sed 's/,}/}/' >$T/less.json; numel formula -q $T/less.json
859520964
859520964
# A small one agrees; its neighbours do not: a tensor less, text of another width, other channels.
$ mkhead -q test/diffusers/tiny-unet.txt $T/tiny >$T/said; cp test/diffusers/tiny-unet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -2
$ mkhead -q test/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/"cross_attention_dim": 12/"cross_attention_dim": 16/' test/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | tail -3
$ mkhead -q test/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/\[8, 16\]/[8, 24]/' test/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile -q tiny
$ sed '/mid_block.resnets.1.conv2.bias/d' test/diffusers/tiny-unet.txt >$T/less.txt; mkhead -q $T/less.txt $T/tiny >$T/said; cp test/diffusers/tiny-unet.json $T/tiny/config.json; cd $T; numel reconcile tiny | tail -3
# A class that no specification serves is called by its name.
$ mkhead -q test/diffusers/tiny-unet.txt $T/tiny >$T/said; sed 's/UNet2DConditionModel/FrobUNetModel/' test/diffusers/tiny-unet.json >$T/tiny/config.json; cd $T; numel reconcile tiny | sed -n 2p; numel show tiny | sed -n 3p; numel list --columns name,architecture,verdict tiny | sed -n 2p; numel formula tiny/config.json
