# Names of models that lie on this disk, and the folders that programs keep them in. roots.sh makes them: each blob is
# 20 numbers (w 4x4 and b 4), 8 of a projector (v 4x2).
$ . test/cli/roots.sh; st a.gguf w:F32:4x4:1 b:F32:4:2; layer .ollama/models model a.gguf; A=$L; st p.gguf v:F32:4x2:1; layer .ollama/models projector p.gguf; P=$L; echo '{"temperature":1}' > p.json; layer .ollama/models params p.json; Q=$L; manifest .ollama/models reg.example/library/llava/7b "$A" "$P" "$Q"; manifest .ollama/models reg.example/library/tiny/latest "$A"; manifest .ollama/models hub.example/org/tiny/Q4 "$A"; for n in 1 2; do c=$n; while [ ${#c} -lt 40 ]; do c=$c$n; done; snapshot .cache/huggingface/hub org--model $c model.safetensors w:F32:4x$((4*n)):1; done; ls -A
.cache
.ollama
# a manifest is followed: the model and its projector are what their names say
$ cd $T; export HOME=.; numel ollama:llava:7b --depth 1
numel: ollama:llava:7b: cannot open: No such file or directory
[3]
# MODEL is MODEL:latest, and whatever host has it; another host is part of the name; so is what a manifest is in
$ cd $T; export HOME=.; for n in ollama:tiny ollama:tiny:latest ollama:library/tiny ollama://reg.example/library/tiny ollama:hub.example/org/tiny:Q4 .ollama/models/manifests/reg.example/library/tiny .ollama/models/manifests/hub.example/org/tiny/Q4; do numel $n | head -1; done
numel: ollama:tiny: cannot open: No such file or directory
numel: ollama:tiny:latest: cannot open: No such file or directory
numel: ollama:library/tiny: cannot open: No such file or directory
numel: ollama://reg.example/library/tiny: cannot open: No such file or directory
numel: ollama:hub.example/org/tiny:Q4: cannot open: No such file or directory
numel: .ollama/models/manifests/reg.example/library/tiny: no .safetensors or .gguf files found in this folder (pickles, .bin and .pt, are not read)
numel: .ollama/models/manifests/hub.example/org/tiny/Q4:0: is a JSON text ('{"schemaVersion":2,"mediaType":"applicat'): no checkpoint and no shard index: an error answer, or a configuration (give its folder)
# all of them, and those of $OLLAMA_MODELS
$ cd $T; numel .ollama/models | grep :; OLLAMA_MODELS=$T/.ollama/models numel -q ollama:tiny; HOME=. OLLAMA_MODELS=none numel -q ollama:tiny
numel: ollama:tiny: cannot open: No such file or directory
numel: ollama:tiny: cannot open: No such file or directory
[3]
# what is not there: where it was looked for, and what would put it there
$ cd $T; export HOME=.; for n in ollama:nope ollama:llava ollama: ollama:a/../b ollama:a/b/c/d; do numel -q $n; done
numel: ollama:nope: cannot open: No such file or directory
numel: ollama:llava: cannot open: No such file or directory
numel: ollama:: cannot open: No such file or directory
numel: ollama:a/../b: cannot open: No such file or directory
numel: ollama:a/b/c/d: cannot open: No such file or directory
[3]
# ORG/MODEL in the cache of Hugging Face: refs/main, else a commit, a branch, or what begins as one commit alone
$ cd $T; export HOME=.; numel org/model | sed -n '1,2p'; numel -q org/model hf:org/model hf://org/model@main org/model@1111111 org/model@2222222 org/model/model.safetensors; numel org/model@2222222 | head -1; numel org/model --json | grep -E '^ "(name|path)"'; numel diff org/model org/model@2222222 | head -2
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
numel: hf:org/model: cannot open: No such file or directory
numel: hf://org/model@main: cannot open: No such file or directory
numel: org/model@1111111: cannot open: No such file or directory
numel: org/model@2222222: cannot open: No such file or directory
numel: org/model/model.safetensors: cannot open: No such file or directory
numel: org/model@2222222: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
 "path": "org/model",
numel: org/model: cannot open: No such file or directory
numel: org/model@2222222: cannot open: No such file or directory
# each of the variables that say where the cache is, the first one that is set
$ cd $T; c=.cache/huggingface; export HOME=/nonexistent; HF_HUB_CACHE=$c/hub HF_HOME=/none numel -q org/model; HUGGINGFACE_HUB_CACHE=$c/hub numel -q org/model; HF_HOME=$c numel -q org/model; XDG_CACHE_HOME=$T/.cache numel -q org/model; HOME=. HF_HOME='~/.cache/huggingface' numel -q org/model; HOME=. HF_HUB_CACHE=/none numel -q org/model; env -u HOME $B/numel -q org/model
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
numel: org/model: cannot open: No such file or directory
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
numel: org/nope: cannot open: No such file or directory
numel: org/model@v2: cannot open: No such file or directory
numel: org/model/x.gguf: cannot open: No such file or directory
numel: hf:nope: cannot open: No such file or directory
[3]
# a path that is there is never a name
$ cd $T; export HOME=.; mkdir -p org; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > org/model; numel org/model | head -1; rm -r org; numel -q org/model
org/model
numel: org/model: cannot open: No such file or directory
[3]
