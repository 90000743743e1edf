# Totals of models whose code ships with their files, to the last element; test/cli/remote has the sizes from their
# configurations. Buffers are not parameters.
$ numel formula -q test/cli/remote/deepseek-ocr.json
3336106240
$ numel formula -q test/cli/remote/dnabert-2-117m.json
117068544
$ numel formula -q test/cli/remote/dots-ocr.json
3039179264
$ numel formula -q test/cli/remote/internvl2-1b.json
938158976
$ numel formula -q test/cli/remote/internvl2-26b.json
25514186112
$ numel formula -q test/cli/remote/internvl2-2b.json
2205754368
$ numel formula -q test/cli/remote/internvl2-76b.json
76262358400
$ numel formula -q test/cli/remote/internvl2-8b.json
8075365376
$ numel formula -q test/cli/remote/internvl3-8b.json
7944373760
# 2,089,297,547 as published, including the 65,536 of a codebook's buffer
$ numel formula -q test/cli/remote/janus-1.3b.json
2089232011
# 23,040 less than the 1,026,879,376,368 published, which count the corrections; the model type of its vision_config is ""
$ numel formula -q test/cli/remote/kimi-k2.5-untyped.json
1026879353328
# files hold 1,664 more in the routers' corrections, and 864 rotary frequencies
$ numel formula -q test/cli/remote/kimi-vl-a3b.json
16407654384
$ numel formula -q test/cli/remote/llava-onevision-qwen2-7b.json
8030348832
# 13,015,864,320 of Llama 2, 303,507,456 of CLIP, 31,467,520 of the projector
$ numel formula -q test/cli/remote/llava-v1.5-13b.json
13350839296
$ numel formula -q test/cli/remote/minicpm-llama3-v-2.5.json
8537092336
$ numel formula -q test/cli/remote/minicpm-v-2.6.json
8099175152
$ numel formula -q test/cli/remote/minicpm-v-4.5.json
8695895280
$ numel formula -q test/cli/remote/molmo-7b-d.json
8021025280
$ numel formula -q test/cli/remote/phi-3-vision.json
4146621440
$ numel formula -q test/cli/remote/qwen-vl.json
9656935168
$ numel formula -q test/cli/remote/qwen3-omni-30b-a3b.json
35259818545
$ numel formula -q test/cli/remote/rwkv7-1.5b.json
1527404544
$ numel formula -q test/cli/remote/santacoder.json
1124886528
$ numel formula -q test/cli/remote/ttm-r1.json
805280
