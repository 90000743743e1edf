# An index without any shard, next to its configuration: the small files that people download first. Its names are
# compared with the formula, total_size with the bytes of their shapes. `lost EDIT`: the same after an edit with
# sed.
$ mkdir $T/a; cp fixtures/llama-2-7b/*.json $T/a; cd $T; numel show a | head -14; numel reconcile a 2> e | sed -n '2,4p;13,19p'; cat e
a
format        safetensors, 0 of 2 files
architecture  llama (LlamaForCausalLM, by config.json)
parameters    6,738,415,616 (6.74 B)
context       4,096 tokens (max_position_embeddings)
size          0 B
tensors       291
elements      6,738,415,616 (6.74 B)
types         F16
bytes         0
data          absent: names from the index, shapes from the formula
index         291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2
verdict       incomplete: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them

architecture  llama (by a/config.json)
expression    2*V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E
index         291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2
V       32,000  declared   vocab_size

cause        tensors       elements
formula          291  6,738,415,616  llama, 291 tensors expected
stored           291  6,738,415,616
unexplained                       0

numel: a/model.safetensors.index.json: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
# the same verdict from every command; 1, as for a set with missing shards
$ cd $T; for c in show reconcile verify list; do numel $c a > out 2>&1; echo "$c $? $(grep -c incomplete out)"; done; numel verify a | head -7; numel list a | head -2; numel reconcile -q a
show 1 1
reconcile 1 1
verify 1 1
list 1 2
a
levels  header, size, index, config
index   291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2

file
model-00001-of-00002.safetensors  missing
model-00002-of-00002.safetensors  missing
name  architecture  parameters  quantization   bits  size  files  verdict
a     llama             6.74 B  F16           16.00   0 B      0  incomplete
numel: a/model.safetensors.index.json: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
0
[1]
$ cd $T; numel a --json 2>&1 | grep -o '"index": {.*}\|"verdict":"[a-z]*"\|"code":"[a-z-]*"'; numel identify --json a | grep -o 'index","judgement":{"kind":"model","verdict":"[a-z]*"'
"verdict":"incomplete"
"code":"shard-missing"
"index": {"names":291,"unexpected":0,"missing":0,"elements":6738415616,"type":"F16","bytes":13476831232,"total_size":13476831232,"fits":true}
"code":"shard-missing"
index","judgement":{"kind":"model","verdict":"incomplete"
# a missing name, a wrong one, a configuration with fewer layers, a missing prefix, a prefix that no loader strips
$ cd $T; lost() { rm -rf b; cp -r a b; sed -i "$1" b/model.safetensors.index.json; numel reconcile b 2>&1 | grep '^index\|^missing  \|^unexp\|^incomp\|^disa'; }; lost '/layers.3.mlp.up_proj/d'; lost 's/layers.3.mlp.up_proj/layers.3.mlp.upp_proj/'; lost 's/"model\.\([^"]*"\):/"\1:/' | head -1
index         290 of 290 names expected, 1 missing; total_size 13,476,831,232, but 6,693,326,848 x 2 (F16) = 13,386,653,696, 90,177,536 bytes less
missing            1    -45,088,768  model.layers.3.mlp.up_proj.weight
unexplained                       0
disagrees: 1 missing, 0 of the wrong shape, 0 unexpected; shards are missing
missing  model.layers.3.mlp.up_proj.weight  [11008, 4096]
index         290 of 291 names expected, 1 not, 1 missing; total_size 13,476,831,232 (not compared: 1 name of unknown shape)
missing            1    -45,088,768  model.layers.3.mlp.up_proj.weight
unexplained                       0
disagrees: 1 missing, 0 of the wrong shape, 1 unexpected; shards are missing
missing  model.layers.3.mlp.up_proj.weight  [11008, 4096]
unexpected  model.layers.3.mlp.upp_proj.weight  []  unknown
index         291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2
$ cd $T; rm -rf b; cp -r a b; sed -i 's/"num_hidden_layers": 32/"num_hidden_layers": 30/' b/config.json; numel verify b | sed -n '3p;9,10p'
index   273 of 291 names expected, 18 not; total_size 13,476,831,232 (not compared: 18 names of unknown shape)
error  key-differs  config.json says num_hidden_layers is 30, the file has 32
                    layers: set it to 32
$ cd $T; rm -rf b; cp -r a b; sed -i 's/"model\./"module.model./; s/"lm_head/"module.lm_head/' b/model.safetensors.index.json; numel verify b | grep -A2 wrapped
error  names-wrapped  model.safetensors.index.json: every name begins with
                      'module.', which transformers does not strip: nothing
                      would be loaded; remove it from the names (the
# total_size: wrong, absent, not a number, for another type than the configuration's; no type; a configuration with
# other shapes and the same names
$ cd $T; size() { rm -rf b; cp -r a b; sed -i "s/\"total_size\": *[0-9]*/$1/" b/model.safetensors.index.json; sed -i "$2" b/config.json; numel show b 2>&1 | grep '^index'; }; size '"total_size": 13476831230' ''; numel b --json 2>&1 | grep -o '"code":"total-size"[^}]*'; size '"x": 1' ''; size '"total_size": "abc"' ''; size '"total_size": 26953662464' ''; size '"total_size": 26953662464' '/torch_dtype/d'; size '"total_size": 26953662466' '/torch_dtype/d'; size '"total_size": 13476831232' 's/"intermediate_size": 11008/"intermediate_size": 11000/'
index         291 of 291 names expected; total_size 13,476,831,230, but 6,738,415,616 x 2 (F16) = 13,476,831,232, 2 bytes more
"code":"total-size","text":"291 of 291 names expected; total_size 13,476,831,230, but 6,738,415,616 x 2 (F16) = 13,476,831,232, 2 bytes more","explains":1
index         291 of 291 names expected; no total_size
index         291 of 291 names expected; total_size is not an integer
index         291 of 291 names expected; total_size 26,953,662,464 = 6,738,415,616 x 4 (the configuration says F16)
index         291 of 291 names expected; total_size 26,953,662,464 = 6,738,415,616 x 4
index         291 of 291 names expected; total_size 26,953,662,466 (not compared: the configuration names no type)
index         291 of 291 names expected; total_size 13,476,831,232, but 6,735,269,888 x 2 (F16) = 13,470,539,776, 6,291,456 bytes less
# buffers with their own type: inv_freq, as in files of 2023
$ mkdir $T/old; cp fixtures/llama-2-7b-2023/*.json $T/old; cd $T; numel show old 2>&1 | grep ^index
index         323 of 323 names expected; total_size 13,476,835,328 = 6,738,415,616 x 2 + 4,096 of buffers
# packed: sizes follow the quantizer, names its layout. The scales of one weight are missing
$ cd $T; rm -rf q; mkdir q; printf '{"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":256,"intermediate_size":512,"num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":512,"head_dim":64,"tie_word_embeddings":true,"torch_dtype":"float16","quantization_config":{"quant_method":"gptq","bits":4,"group_size":128,"desc_act":false,"sym":true}}' > q/config.json; { for n in q_proj k_proj v_proj o_proj; do for s in qweight qzeros scales g_idx; do echo "model.layers.0.self_attn.$n.$s"; done; done; for n in gate_proj up_proj down_proj; do for s in qweight qzeros scales g_idx; do echo "model.layers.0.mlp.$n.$s"; done; done; for n in embed_tokens norm layers.0.input_layernorm layers.0.post_attention_layernorm; do echo "model.$n.weight"; done; } > names; index() { printf '{"metadata":{"total_size":1000000},"weight_map":{'; sed 's/.*/"&":"m-00001-of-00002.safetensors"/' | paste -sd, | tr -d '\n'; printf '}}'; }; index < names > q/m.safetensors.index.json; numel show q 2>&1 | grep '^index\|^packed\|^quant\|^param'; grep -v 'mlp.up_proj.scales' names | index > q/m.safetensors.index.json; numel reconcile q 2>&1 | grep '^index\|^miss'
parameters    721,664 (721.66 K)
quantization  GPTQ 4-bit, group 128, symmetric (by config.json)
packed        7 modules
index         32 of 32 names expected; total_size 1,000,000 (not compared: quantized)
index         31 of 31 names expected, 1 missing; total_size 1,000,000 (not compared: quantized)
missing scales and zero points        1        +0    0 B  model.layers.0.mlp.up_proj.scales
# unaffected: an existing shard, no configuration, no formula, no names, commands that read tensors
$ cd $T; rm -rf b; cp -r a b; cp "$OLDPWD"/fixtures/llama-2-7b/model-00001* b; numel reconcile b 2>&1 | grep '^index\|^disa'; rm -rf b; mkdir b; cp a/model* b; numel b; sed 's/"llama"/"nobody"/; s/Llama/Nobody/' a/config.json > b/config.json; numel reconcile b; echo '{"weight_map":{}}' > b/model.safetensors.index.json; numel b; numel tensors a
disagrees: 74 missing, 0 of the wrong shape, 0 unexpected; shards are missing
numel: b: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: b: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
numel: b: the index names no shards
numel: a: all 2 shards are missing (the first is 'model-00001-of-00002.safetensors'): download them
[3]
# a path outside the folder is not followed, although the file exists
$ cd $T; rm -rf b; cp -r a b; cp "$OLDPWD"/fixtures/llama-2-7b/model-00002* .; sed -i 's|model-00002-of|../model-00002-of|' b/model.safetensors.index.json; numel show b 2>&1 | grep '^format\|^index\|^verdict'
format        safetensors, 0 of 2 files
index         291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2
verdict       incomplete: all 2 shards are missing (the first is '../model-00002-of-00002.safetensors'): download them
