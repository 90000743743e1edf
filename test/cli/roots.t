# Names of models on this disk, and programs' model folders. roots.sh makes them: each blob has
# 20 numbers (w 4x4 and b 4), or 8 for a projector (v 4x2).
$ . test/cli/roots.sh; st a.gguf w:F32:4x4:1 b:F32:4:2; layer .ollama/models model a.gguf; A=$L; st p.gguf v:F32:4x2:1; layer .ollama/models projector p.gguf; P=$L; echo '{"temperature":1}' > p.json; layer .ollama/models params p.json; Q=$L; manifest .ollama/models reg.example/library/llava/7b "$A" "$P" "$Q"; manifest .ollama/models reg.example/library/tiny/latest "$A"; manifest .ollama/models hub.example/org/tiny/Q4 "$A"; for n in 1 2; do c=$n; while [ ${#c} -lt 40 ]; do c=$c$n; done; snapshot .cache/huggingface/hub org--model $c model.safetensors w:F32:4x$((4*n)):1; done; ls -A
.cache
.ollama
# a manifest is followed: its model and projector have the names it implies
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
# MODEL is MODEL:latest, on any host; another host is part of the name, and so is a namespace
$ cd $T; export HOME=.; for n in ollama:tiny ollama:tiny:latest ollama:library/tiny ollama://reg.example/library/tiny ollama:hub.example/org/tiny:Q4 .ollama/models/manifests/reg.example/library/tiny .ollama/models/manifests/hub.example/org/tiny/Q4; do numel $n | head -1; done
tiny:latest
tiny:latest
tiny:latest
tiny:latest
hub.example/org/tiny:Q4
tiny:latest
hub.example/org/tiny:Q4
# all of them, and those in $OLLAMA_MODELS
$ cd $T; numel .ollama/models | grep :; OLLAMA_MODELS=$T/.ollama/models numel -q ollama:tiny; HOME=. OLLAMA_MODELS=none numel -q ollama:tiny
hub.example/org/tiny:Q4
llava:7b
llava:7b (projector)
tiny:latest
20
numel: ollama:tiny: no such Ollama model (looked in none); get it with 'ollama pull tiny'
[3]
# missing names: where numel searched, and the command that would fetch them
$ cd $T; export HOME=.; for n in ollama:nope ollama:llava ollama:a/../b ollama:a/b/c/d; do numel -q $n; done
numel: ollama:nope: no such Ollama model (looked in .ollama/models, /usr/share/ollama/.ollama/models); get it with 'ollama pull nope'
numel: ollama:llava: Ollama has the model, but not the tag 'latest'; its tags here: 7b
numel: ollama:a/../b: not a model name; use ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG
numel: ollama:a/b/c/d: not a model name; use ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG
[3]
# ORG/MODEL in the Hugging Face cache: refs/main, else a commit, a branch, or a unique prefix of a commit
$ cd $T; export HOME=.; numel org/model | sed -n '1,2p'; numel -q org/model hf:org/model hf:org/model@main org/model@1111111 org/model@2222222 org/model/model.safetensors; numel org/model@2222222 | head -1; numel org/model --json | grep -E '^ "(name|path)"'; numel diff org/model org/model@2222222 | head -2
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
# each variable that sets the cache; the first one set is used
$ cd $T; c=.cache/huggingface; export HOME=/nonexistent; HF_HUB_CACHE=$c/hub HF_HOME=/none numel -q org/model; HUGGINGFACE_HUB_CACHE=$c/hub numel -q org/model; HF_HOME=$c numel -q org/model; XDG_CACHE_HOME=$T/.cache numel -q org/model; HOME=. HF_HOME='~/.cache/huggingface' numel -q org/model; HOME=. HF_HUB_CACHE=/none numel -q org/model; env -u HOME $B/numel -q org/model
16
16
16
16
16
numel: org/model: no such file or folder, and no such model in the Hugging Face cache (/none); get it with 'hf download org/model'
numel: org/model: cannot open: No such file or directory
[3]
# not a name: a mistyped path, an invalid repository name, an existing folder
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
# missing from the cache: the model, the revision, the file
$ cd $T; export HOME=.; numel -q org/nope org/model@v2 org/model/x.gguf hf:nope
numel: org/nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub); get it with 'hf download org/nope'
numel: org/model@v2: the revision v2 is not in the Hugging Face cache (.cache/huggingface/hub/models--org--model); get it with 'hf download org/model --revision v2'
numel: org/model/x.gguf: the Hugging Face cache has the model, but not that file (.cache/huggingface/hub/models--org--model/snapshots/1111111111111111111111111111111111111111); get it with 'hf download org/model x.gguf'
numel: hf:nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub); get it with 'hf download nope'
[3]
# an existing path is never a name
$ cd $T; export HOME=.; mkdir -p org; hex "$OLDPWD/fixtures/good/safetensors/f32-one.hex" > org/model; numel org/model | head -1; rm -r org; numel -q org/model
org/model
16
# verify for Ollama: blobs that no manifest names are a note with the folder's first model
$ cd $T; echo hello > .ollama/models/blobs/sha256-$(printf %064d 0); numel verify .ollama/models | grep -A2 -E '^(error|note  ollama)'; numel verify --level hash .ollama/models | grep -c ' matches '
note  ollama-blob-unreferenced  sha256-0000000000000000000000000000000000000000000000000000000000000000:
                                no manifest names this blob of 6 bytes: left
                                over from models that were removed or pulled
5
# a blob whose size differs from its manifest, a missing one, a missing layer that is not weights
$ cd $T; . "$OLDPWD"/test/cli/roots.sh 2>/dev/null; cp -r .ollama/models m; b=$(grep -o 'sha256:[0-9a-f]*' m/manifests/reg.example/library/llava/7b | tr : - | sed 's|^|m/blobs/|'); set -- $b; truncate -s 200 $1; rm $2 $3; numel m/manifests/reg.example/library/llava; numel verify m/manifests/reg.example/library/llava | grep -A3 -E '^(error  (o|s)|run)'
numel: m/blobs/sha256-6f8aab608d12296c8d464147d2bc8beafbf6b7603c3e87e8a97fcf03750dbf24: the manifest of llava:7b (projector) names the blob sha256-6f8aab608d12296c8d464147d2bc8beafbf6b7603c3e87e8a97fcf03750dbf24, which is missing: run 'ollama pull llava:7b'
llava:7b
m/blobs/sha256-87e87282937c071cf275d00412cd8f9665b619b822bd651e2deb866a0bfb3136
format        gguf v3
architecture  unknown, no specification for test (by metadata)
size          200 B
tensors       2
elements      20
types         F32
bytes         200 = header 142 + data 40 + padding 18; 40 bytes are missing
data          partial
verdict       incomplete: 40 bytes short: tensors 'w' to 'b' (2) are past the end, the last one ends at 240, the file at 200

name  shape   elements   share  bytes
b     [4]            4  20.0 %   16 B
w     [4, 4]        16  80.0 %   64 B

error  data-missing  at byte 200: 40 bytes short: tensors 'w' to 'b' (2) are past the end, the last one ends at 240, the file at 200
error  ollama-blob-size     sha256-87e87282937c071cf275d00412cd8f9665b619b822bd651e2deb866a0bfb3136:
                            the blob has 200 bytes, but the manifest of llava:7b
                            says 256: run 'ollama pull llava:7b'
error  ollama-blob-missing  sha256-d8ba2f9a17b3bbdeb5690efaa409b3fcb0b56296a777c7a69c78aa33bbddf182:
                            the manifest of llava:7b names it (params), but it
                            is missing: run 'ollama pull llava:7b'

--
run 'ollama pull llava:7b'

llava:7b (projector)
m/blobs/sha256-6f8aab608d12296c8d464147d2bc8beafbf6b7603c3e87e8a97fcf03750dbf24
--
error  shard-missing  sha256-6f8aab608d12296c8d464147d2bc8beafbf6b7603c3e87e8a97fcf03750dbf24:
                      the manifest of llava:7b (projector) names it (projector,
                      160 bytes), but it is missing: run 'ollama pull llava:7b'

--
run 'ollama pull llava:7b'

total     2 checkpoints, 2 files
size      200 B
# invalid or false manifests, and ones that point outside the folder: each is reported, the others are shown
$ cd $T; mkdir -p e/blobs e/manifests/h/library/x; cd e/manifests/h/library/x; d=$(printf %064d 0); printf '{' > cut; printf '{"layers":{}}' > object; printf '{"layers":[]}' > empty; printf '{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:../../../../etc/passwd"}]}' > climbs; printf '{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%s","size":-1}]}' $d > gone; ln -s ../../../.. loop; head -c 5000000 /dev/zero | tr '\0' ' ' > huge; mkfifo fifo; cd $T; numel e
numel: e/manifests/h/library/x/climbs: a layer has the digest 'sha256:../../../../etc/passwd', expected 'sha256:' and 64 digits
numel: e/manifests/h/library/x/cut:1: expected a string, the JSON text ends
numel: e/manifests/h/library/x/empty: names no weights: none of its layers is a model, an adapter or a tensor
numel: e/blobs/sha256-0000000000000000000000000000000000000000000000000000000000000000: the manifest of x:gone names the blob sha256-0000000000000000000000000000000000000000000000000000000000000000, which is missing: run 'ollama pull x:gone'
numel: e/manifests/h/library/x/huge: larger than 4194304 bytes
numel: e/manifests/h/library/x/object: is not an Ollama manifest: it has no list 'layers'
[3]
$ cd $T; numel verify --json e | grep -o '"code":"ollama-manifest-broken".*"message":"[^"]*' | sed 's/"level.*manifests/ manifests/; s/"tensor.*"message"//'
"code":"ollama-manifest-broken","severity":"error", manifests/h/library/x/climbs",:"a layer has the digest 'sha256:../../../../etc/passwd', expected 'sha256:' and 64 digits
"code":"ollama-manifest-broken","severity":"error", manifests/h/library/x/cut",:"expected a string, the JSON text ends
"code":"ollama-manifest-broken","severity":"error", manifests/h/library/x/empty",:"names no weights: none of its layers is a model, an adapter or a tensor
"code":"ollama-manifest-broken","severity":"error", manifests/h/library/x/huge",:"larger than 4194304 bytes
"code":"ollama-manifest-broken","severity":"error", manifests/h/library/x/object",:"is not an Ollama manifest: it has no list 'layers'
# names cannot control a terminal, and a linked manifest folder is not entered
$ cd $T; mkdir -p h/blobs "$(printf 'h/manifests/h/library/a\033[31m')"; printf '{"layers":[]}' > "$(printf 'h/manifests/h/library/a\033[31m/t')"; ln -s . h/manifests/again; numel h
numel: h/manifests/h/library/a\x1b[31m/t: names no weights: none of its layers is a model, an adapter or a tensor
[3]
# an unused folder
$ cd $T; mkdir -p n/blobs n/manifests; numel n
numel: n: is an Ollama models folder without a manifest: no model was pulled
[3]
# list, and every command that walks folders: models by name, blobs once
$ cd $T; export HOME=.; numel list .ollama .cache 2>&1 | cut -c1-40; numel list ollama:llava:7b org/model | cut -c1-24
name                     architecture  q
hub.example/org/tiny:Q4  test          F
llava:7b                 test          F
llava:7b (projector)     test          F
tiny:latest              test          F
org/model                              F
org/model@22222222                     F

total  4 checkpoints, 4 files, 739 B, 76
name                  ar
llava:7b              te
llava:7b (projector)  te
org/model               

total  3 checkpoints, 3 
# layers with one tensor each are one checkpoint, and a layer config.json is its configuration: E 4, V 8: 32 + 4
# elements
$ cd $T; root=$OLDPWD; export root; cd "$root"; . test/cli/roots.sh; t() { st t.safetensors "$1:BF16:$2:1"; mv t.safetensors t; layer mlx/models tensor t "$1"; }; t model.embed_tokens.weight 8x4; A=$L; t model.norm.weight 4; N=$L; echo '{"model_type":"llama","hidden_size":4,"vocab_size":8,"num_hidden_layers":0,"intermediate_size":8,"num_attention_heads":1,"tie_word_embeddings":true}' > c; layer mlx/models json c config.json; manifest mlx/models h/library/small/latest "$A" "$N" "$L"; numel mlx | sed -n '1p;/verdict/p'; rm mlx/models/blobs/$(echo "$N" | grep -o 'sha256:[0-9a-f]*' | tr : -); numel mlx | grep -E '^(format|error)'
small:latest
verdict       agrees with llama: 36 parameters; lm_head.weight is tied to model.embed_tokens.weight
format        safetensors, 1 of 2 files
error  shard-missing  mlx/models/blobs/sha256-0a7c6f6b5820149783d93de4e6b508495bbf0f7ff618fa91f09fba76c4e5b8d8: the manifest of small:latest names it (tensor, 87 bytes), but it is missing: run 'ollama pull small:latest'
# LM Studio: PUBLISHER/MODEL, or MODEL if only one publisher has it; its home may be elsewhere, and so may its
# models
$ cd "$PWD"; . test/cli/roots.sh; mkdir -p .lmstudio/models/pub/m .lmstudio/models/other/m .lmstudio/models/pub/two; for f in pub/m/m pub/two/a pub/two/b; do st .lmstudio/models/$f.gguf w:F32:4x4:1; done; st .lmstudio/models/other/m/m.gguf w:F32:2:1; export HOME=.; numel .lmstudio/models | grep -E '^[a-z0-9]*/'; numel -q lmstudio:other/m lmstudio:two lmstudio:pub/two/b.gguf; numel lmstudio:m; numel lmstudio:nope; numel lmstudio:../two; mv .lmstudio/models big; echo "{\"downloadsFolder\":\"$T/big\"}" > .lmstudio/settings.json; numel -q lmstudio:other/m; mkdir else; mv big else/models; echo else > .lmstudio-home-pointer; numel -q lmstudio:other/m; rm .lmstudio-home-pointer; mkdir -p .cache; mv else .cache/lm-studio; numel -q lmstudio:other/m
other/m
pub/m
pub/two/a.gguf
pub/two/b.gguf
2
16
16
16
numel: lmstudio:m: LM Studio has that model from several publishers (.lmstudio/models): lmstudio:other/m, lmstudio:pub/m
numel: lmstudio:nope: no such LM Studio model (looked in .lmstudio/models); get it with 'lms get nope'
numel: lmstudio:../two: not a model name; use lmstudio:MODEL, lmstudio:PUBLISHER/MODEL
2
2
2
# ComfyUI: each file is a separate checkpoint, named by its kind; folders are entered once, whatever links point
# there
$ . test/cli/roots.sh; mkdir -p C/models/checkpoints/sdxl C/models/loras C/models/vae C/custom_nodes; for f in checkpoints/sdxl/a checkpoints/b loras/l vae/v; do st C/models/$f.safetensors w:F32:2x2:1; done; ln -s .. C/models/vae/loop; ln -s ../checkpoints C/models/loras/again; numel C | grep -E '^[a-z]*/'; numel C/models/loras | head -1; numel -q C/models
checkpoints/b.safetensors
checkpoints/sdxl/a.safetensors
loras/l.safetensors
vae/v.safetensors
C/models/loras/l.safetensors
4
4
4
4
# identify accepts names too
$ rm -rf "${T:?}"/.[a-z]* ; . test/cli/roots.sh; st a.gguf w:F32:4x4:1; layer .ollama/models model a.gguf; manifest .ollama/models h/library/t/latest "$L"; snapshot .cache/huggingface/hub o--m abc model.safetensors w:F32:4:1; export HOME=.; numel identify ollama:t o/m
ollama:t  GGUF v3, 1 tensor, 16 elements: unknown
o/m       directory with 1 checkpoint
# `numel list` prints names: NAME:TAG for Ollama, ORG/MODEL for the cache, PUBLISHER/MODEL for LM Studio; an
# existing path takes precedence
$ . test/cli/roots.sh; mkdir -p .lmstudio/models/pub/Tiny-GGUF; st .lmstudio/models/pub/Tiny-GGUF/Tiny.gguf w:F32:2:1; st b.gguf w:F32:8:1; layer .ollama/models model b.gguf; manifest .ollama/models hub.example/org/tiny/Q4 "$L"; export HOME=.; numel t:latest | head -1; numel -q t:latest hub.example/org/tiny:Q4 o/m pub/Tiny-GGUF pub/Tiny-GGUF/Tiny.gguf; numel verify -q t:latest; numel identify t:latest
t:latest
16
8
4
2
2
t:latest  GGUF v3, 1 tensor, 16 elements: unknown
$ cd $T; export HOME=.; for n in t:q4 nope:7b a:b:c o/nope pub/nope; do numel -q $n; done
numel: t:q4: Ollama has the model, but not the tag 'q4'; its tags here: latest
numel: nope:7b: no such file or folder, and no such Ollama model (looked in .ollama/models, /usr/share/ollama/.ollama/models); get it with 'ollama pull nope:7b'
numel: a:b:c: cannot open: No such file or directory
numel: o/nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub); get it with 'hf download o/nope'
numel: pub/nope: no such file or folder, and no such model in the Hugging Face cache (.cache/huggingface/hub); get it with 'hf download pub/nope'
[3]
$ cd $T; export HOME=.; cp .lmstudio/models/pub/Tiny-GGUF/Tiny.gguf t:latest; numel -q t:latest; mkdir -p o; cp -r .lmstudio/models/pub/Tiny-GGUF o/m; numel -q o/m; rm -r t:latest o
2
2
# ... and all that a program keeps
$ cd $T; export HOME=.; for r in hf: ollama: lmstudio:; do numel list $r | grep -v '^$'; done; numel -q ollama:; numel identify hf:
name  quantization   bits  size  files  verdict
o/m   F32           32.00  79 B      1  not checked
total  1 checkpoint, 1 file, 79 B, 4 elements in 1 checkpoint of unknown architecture
name                     architecture  quantization   bits   size  files  verdict
t:latest                 test          F32           32.00  192 B      1  unknown
hub.example/org/tiny:Q4  test          F32           32.00  160 B      1  unknown
total  2 checkpoints, 2 files, 352 B, 24 elements in 2 checkpoints of unknown architecture
name                     architecture  quantization   bits   size  files  verdict
pub/Tiny-GGUF/Tiny.gguf  test          F32           32.00  160 B      1  unknown
total  1 checkpoint, 1 file, 160 B, 2 elements in 1 checkpoint of unknown architecture
16
8
hf:  directory with 1 checkpoint
$ cd $T; export HOME=.; OLLAMA_MODELS=none numel list ollama:; HF_HUB_CACHE=none numel -q hf:; env -u HOME numel list lmstudio:
numel: ollama:: Ollama has no models here (looked in none)
total  0 checkpoints, 0 files, 0 B, 0 parameters; 1 could not be read
numel: hf:: the Hugging Face cache has no models here (looked in none)
numel: lmstudio:: LM Studio has no models here (looked in no folder, because HOME is not set)
total  0 checkpoints, 0 files, 0 B, 0 parameters; 1 could not be read
[3]
