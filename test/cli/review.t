# numel verify: code in a download that may run. test/support/download.py makes a clean model, and each danger.

# normal downloads have no finding, not even with --strict: templates with macros, namespaces and words with
# underscores
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl clean m; numel verify --strict m
m/model.safetensors
levels  header, size, index, config

file               bytes  tensors
model.safetensors  4,517       12  ok

complete: 1 file, 12 tensors; checksums not checked
# each danger has its code, is a note (a warning for imports that weights do not need), and an error with --strict;
# no other finding appears
$ dl=$PWD/test/support/download.py; cd $T; for n in $(python3 $dl | tail -n +3); do python3 $dl $n $n; numel verify --json $n > a; s=$?; numel verify --json --strict $n > b; echo "$n $s $? $(grep -ho '"code":"[^"]*","severity":"[^"]*"' a b | sed 's/"code":"//; s/","severity":"/ /; s/"$//' | tr '\n' ' ')"; done
bin 0 1 pickle note pickle error 
pt 0 1 pickle note pickle error 
pth 0 1 pickle note pickle error 
ckpt 0 1 pickle note pickle error 
pkl 0 1 pickle note pickle error 
pkl-old 0 1 pickle note pickle error 
joblib 0 1 pickle note pickle error 
joblib-zlib 0 1 pickle note pickle error 
npy 0 1 pickle note pickle error 
npz 0 1 pickle note pickle error 
no-suffix 0 1 pickle note pickle error 
legacy 0 1 pickle note pickle error 
cut 0 1 pickle note pickle error 
system 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
eval 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
stack 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
memo 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
hidden 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
dotted 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
second 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
protocol-0 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
inst 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
deflated 0 1 pickle-imports warning pickle note pickle error pickle-imports error 
auto-map 0 1 remote-code note remote-code error 
auto-map-elsewhere 0 1 remote-code note remote-code error 
auto-map-escaped 0 1 remote-code note remote-code error 
auto-map-tokenizer 0 1 remote-code note remote-code error 
auto-map-processor 0 1 remote-code note remote-code error 
trust 0 1 remote-code note remote-code error 
module 0 1 remote-code note remote-code error 
py 0 1 code-file note code-file error 
py-below 0 1 code-file note code-file error 
template 0 1 template-reach note template-reach error 
template-named 0 1 template-reach note template-reach error 
template-jinja 0 1 template-reach note template-reach error 
template-json 0 1 template-reach note template-reach error 
template-more 0 1 template-reach note template-reach error 
template-processor 0 1 template-reach note template-reach error 
template-attr 0 1 template-reach note template-reach error 
template-joined 0 1 template-reach note template-reach error 
template-include 0 1 template-reach note template-reach error 
keras 0 1 keras-lambda note keras-lambda error 
h5 0 1 keras-lambda note keras-lambda error 
so 0 1 native-code note native-code error 
broken 0 1 review-unread warning review-unread error 
# details: a pickle, and the programs that load it
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl system d1; numel verify d1 | tail -n +7
warning  pickle-imports  pytorch_model.bin: the pickle imports posix.system,
                         which weights never need: do not load it

note  pickle  pytorch_model.bin:0: a pickle in a zip: loading it can run code,
              and transformers loads it with use_safetensors=False, or if there
              is no .safetensors; delete it if you do not need it

complete: 1 file, 12 tensors, 1 warning; checksums not checked
review 'pytorch_model.bin' before anything loads it
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl template-named d2; numel verify --strict d2 | tail -n +7
error  template-reach  tokenizer_config.json:103: the chat template 'tool_use'
                       accesses __class__, __mro__, __subclasses__ in line 1: no
                       conversation needs that, and without a sandbox it can run
                       code; read it before using the model

complete: 1 file, 12 tensors; checksums not checked; 1 finding to review before
it is loaded
review 'tokenizer_config.json' before anything loads it
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl auto-map d3; echo x > d3/modeling_x.py; numel verify d3 | tail -n +7
note  remote-code  config.json:305: AutoModelForCausalLM is class XForCausalLM
                   of modeling_x.py: with trust_remote_code=True that code runs;
                   read it first
note  code-file    modeling_x.py: Python code: with trust_remote_code=True
                   loaders run it if a configuration names it; read it first

complete: 1 file, 12 tensors; checksums not checked
# weights with a pickle's name run nothing; links into the cache's own blobs are normal, others are reported;
# neither is an error with --strict
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl clean n; cp n/model.safetensors n/model.bin; ln -s /dev/null n/null; ln -s ../m/LICENSE n/LINK; numel verify --strict n | sed "s:'/.*/m/:'.../m/:" | tail -n +7
note  link-outside  LINK: a link out of the folder, to
                    '.../m/LICENSE'
note  name-other    model.bin:0: it is named like a pickle, but holds
                    safetensors or GGUF: loading it runs no code

complete: 1 file, 12 tensors; checksums not checked
$ dl=$PWD/test/support/download.py; cd $T; mkdir -p models--o--n/blobs models--o--n/snapshots/abc; python3 $dl clean c; for f in c/*; do mv $f models--o--n/blobs/$(basename $f)0; ln -s ../../blobs/$(basename $f)0 models--o--n/snapshots/abc/$(basename $f); done; numel verify -q --strict models--o--n
# a linked folder is not entered, whether the link points to a parent or outside
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl clean l; for i in a b c; do ln -s . l/$i; done; ln -s ../d3 l/code; numel verify --strict l | sed "s:'/.*/d3:'.../d3:" | tail -n +7; numel identify l | grep -E 'l/(a|b|c|code)'
note  link-outside  code: a link out of the folder, to
                    '.../d3'

complete: 1 file, 12 tensors; checksums not checked
l/a                        directory with 1 checkpoint
l/b                        directory with 1 checkpoint
l/c                        directory with 1 checkpoint
l/chat_template.jinja      chat template, 11 lines
l/code                     directory with 1 checkpoint
l/config.json              configuration: LlamaForCausalLM (llama)
# all templates of a GGUF, each by name
$ s=$PWD/test/support; cd $T; python3 -B -c "import sys; sys.path.insert(0, '$s'); import download as d; r = d.REACH.encode(); g = d.TEMPLATE.encode(); k = b'tokenizer.chat_template'; open('a.gguf', 'wb').write(d.gguf([(k, g), (k + b'.tool_use', r), (k + b'.rag', g), (k + b's', r)])); open('b.gguf', 'wb').write(d.gguf([(k, g), (k + b'.rag', g)]))"; for g in a b; do numel verify --json --strict -l config $g.gguf | grep -o '"template-reach".*the chat template.\{60\}'; done
"template-reach","severity":"error","level":"config","file":"a.gguf","tensor":"","offset":1097,"message":"the chat template 'tool_use' accesses __class__, __mro__, __subclasses__ in l
[1]
# a pipeline's own folder is inspected once, and each part separately
$ dl=$PWD/test/support/download.py; cd $T; for p in unet vae; do python3 $dl clean p/$p; done; echo '{"_class_name": "XPipeline"}' > p/model_index.json; echo x > p/pipeline.py; echo x > p/vae/vae.py; mkdir p/scheduler; echo x > p/scheduler/s.py; numel verify --json p | grep -o '"code-file".*file":"[^"]*"'
"code-file","severity":"note","level":"config","file":"p/pipeline.py"
"code-file","severity":"note","level":"config","file":"p/scheduler/s.py"
"code-file","severity":"note","level":"config","file":"p/vae/vae.py"
# of several models in one folder, only the first
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl py q; cp q/model.safetensors q/other.safetensors; numel verify --json q | grep -c code-file
1
# not below the level config
$ dl=$PWD/test/support/download.py; cd $T; numel verify --strict -q -l index q

# also for weights, one shard or all; links inside the folder are normal
$ dl=$PWD/test/support/download.py; cd $T; python3 $dl clean w; mkdir w2; mv w/model.safetensors w2; ln -s ../w2/model.safetensors w; numel verify --strict w | sed "s:'/.*/w2/:'.../w2/:" | tail -n +7; mkdir w/b; rm w/model.safetensors; mv w2/model.safetensors w/b/blob; ln -s b/blob w/model.safetensors; numel verify --strict w | tail -n +7
note  link-outside  model.safetensors: a link out of the folder, to
                    '.../w2/model.safetensors'

complete: 1 file, 12 tensors; checksums not checked
complete: 1 file, 12 tensors; checksums not checked
