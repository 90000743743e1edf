# Names of models that lie on this disk, and the folders that programs keep them in. roots.sh makes them: each blob is
# 20 numbers (w 4x4 and b 4), 8 of a projector (v 4x2).
$ . test/cli/roots.sh; st a.gguf w:F32:4x4:1 b:F32:4:2; layer .ollama/models model a.gguf; A=$L; st p.gguf v:F32:4x2:1; layer .ollama/models projector p.gguf; P=$L; echo '{"temperature":1}' > p.json; layer .ollama/models params p.json; Q=$L; manifest .ollama/models reg.example/library/llava/7b "$A" "$P" "$Q"; manifest .ollama/models reg.example/library/tiny/latest "$A"; manifest .ollama/models hub.example/org/tiny/Q4 "$A"; for n in 1 2; do c=$n; while [ ${#c} -lt 40 ]; do c=$c$n; done; snapshot .cache/huggingface/hub org--model $c model.safetensors w:F32:4x$((4*n)):1; done; ls -A
.cache
.ollama
# a manifest is followed: the model and its projector are what their names say
$ cd $T; export HOME=.; numel ollama:llava:7b --depth 1
llava:7b
.ollama/models/blobs/sha256-87e87282937c071cf275d00412cd8f9665b619b822bd651e2deb866a0bfb3136
format        gguf v3
architecture  unknown, no specification for test (by metadata)
size          256 B
tensors       2
elements      20
types         F32
bytes         256 = header 142 + data 80 + padding 34

name  shape   elements   share  bytes
b     [4]            4  20.0 %   16 B
w     [4, 4]        16  80.0 %   64 B

llava:7b (projector)
.ollama/models/blobs/sha256-6f8aab608d12296c8d464147d2bc8beafbf6b7603c3e87e8a97fcf03750dbf24
format        gguf v3
architecture  unknown, no specification for test (by metadata)
size          160 B
tensors       1
elements      8
types         F32
bytes         160 = header 109 + data 32 + padding 19

name  shape   elements    share  bytes
v     [4, 2]         8  100.0 %   32 B
# MODEL is MODEL:latest, and whatever host has it; another host is part of the name; so is what a manifest is in
$ cd $T; export HOME=.; for n in ollama:tiny ollama:tiny:latest ollama:library/tiny ollama://reg.example/library/tiny ollama:hub.example/org/tiny:Q4 .ollama/models/manifests/reg.example/library/tiny .ollama/models/manifests/hub.example/org/tiny/Q4; do numel $n | head -1; done
tiny:latest
tiny:latest
tiny:latest
tiny:latest
hub.example/org/tiny:Q4
tiny:latest
hub.example/org/tiny:Q4
# all of them, and those of $OLLAMA_MODELS
$ cd $T; numel .ollama/models | grep :; OLLAMA_MODELS=$T/.ollama/models numel -q ollama:tiny; HOME=. OLLAMA_MODELS=none numel -q ollama:tiny
hub.example/org/tiny:Q4
llava:7b
llava:7b (projector)
tiny:latest
20
numel: ollama:tiny: Ollama has no such model here (looked in none): 'ollama pull tiny' would put it there
[3]
# what is not there: where it was looked for, and what would put it there
$ cd $T; export HOME=.; for n in ollama:nope ollama:llava ollama: ollama:a/../b ollama:a/b/c/d; do numel -q $n; done
numel: ollama:nope: Ollama has no such model here (looked in .ollama/models, /usr/share/ollama/.ollama/models): 'ollama pull nope' would put it there
numel: ollama:llava: Ollama has the model without the tag 'latest'; its tags here: 7b
numel: ollama:: not a name of a model: ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG
numel: ollama:a/../b: not a name of a model: ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG
numel: ollama:a/b/c/d: not a name of a model: ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG
[3]
# ORG/MODEL in the cache of Hugging Face: refs/main, else a commit, a branch, or what begins as one commit alone
$ cd $T; export HOME=.; numel org/model | sed -n '1,2p'; numel -q org/model hf:org/model hf://org/model@main org/model@1111111 org/model@2222222 org/model/model.safetensors; numel org/model@2222222 | head -1; numel org/model --json | grep -E '^ "(name|path)"'; numel diff org/model org/model@2222222 | head -2
org/model
.cache/huggingface/hub/models--org--model/snapshots/1111111111111111111111111111111111111111/model.safetensors
16
16
16
16
32
16
org/model@22222222
 "name": "org/model",
 "path": ".cache/huggingface/hub/models--org--model/snapshots/1111111111111111111111111111111111111111/model.safetensors",
a         org/model
b         org/model@22222222
# each of the variables that say where the cache is, the first one that is set
$ cd $T; c=.cache/huggingface; export HOME=/nonexistent; HF_HUB_CACHE=$c/hub HF_HOME=/none numel -q org/model; HUGGINGFACE_HUB_CACHE=$c/hub numel -q org/model; HF_HOME=$c numel -q org/model; XDG_CACHE_HOME=$T/.cache numel -q org/model; HOME=. HF_HOME='~/.cache/huggingface' numel -q org/model; HOME=. HF_HUB_CACHE=/none numel -q org/model; env -u HOME $B/numel -q org/model
16
16
16
16
16
numel: org/model: no such file or folder, and no such model in the Hugging Face cache (/none): 'hf download org/model' would put it there
numel: org/model: cannot open: No such file or directory
[3]
# not a name: a path that was mistyped, what is no name for a repository, a folder that is here
$ cd $T; export HOME=.; mkdir -p dir; for n in dir/model nosuch/x.gguf org/.. /org/model org//model ../org/model org/model@../x org/model/../../x; do numel -q $n; done; numel -q 'org/mo del'
numel: dir/model: cannot open: No such file or directory
numel: nosuch/x.gguf: cannot open: No such file or directory
numel: org/..: cannot open: No such file or directory
numel: /org/model: cannot open: No such file or directory
numel: org//model: cannot open: No such file or directory
numel: ../org/model: cannot open: No such file or directory
numel: org/model@../x: cannot open: No such file or directory
numel: org/model/../../x: cannot open: No such file or directory
numel: org/mo del: cannot open: No such file or directory
[3]
# what the cache has not: the model, the revision, the file
$ cd $T; export HOME=.; numel -q org/nope org/model@v2 org/model/x.gguf hf:nope
numel: org/nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub): 'hf download org/nope' would put it there
numel: org/model@v2: the revision v2 is not in the Hugging Face cache (.cache/huggingface/hub/models--org--model): 'hf download org/model --revision v2' would put it there
numel: org/model/x.gguf: the Hugging Face cache has the model without that file (.cache/huggingface/hub/models--org--model/snapshots/1111111111111111111111111111111111111111): 'hf download org/model x.gguf' would put it there
numel: hf:nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub): 'hf download nope' would put it there
[3]
# a path that is there is never a name
$ cd $T; export HOME=.; mkdir -p org; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > org/model; numel org/model | head -1; rm -r org; numel -q org/model
org/model
16
