# numel list: times, adapters, --reverse and --top.
# 951,868,799 seconds after 1970 is the last second of 2000-02-29, a leap day of a century; a model has the latest times
# of its files
$ mkdir $T/m; cd $T/m; for d in a b c; do cp -r $OLDPWD/fixtures/gpt2 $d; done; touch -d @951868799 a/*; touch -d @951868800 b/*; touch -d @1767225599 c/*; touch -a -d 2024-12-31 c/*.zst; numel list --columns name,modified,accessed --sort modified; numel list --csv --columns name,modified --sort modified --reverse | tr -d '\r'; numel list --json --columns modified a
name  modified    accessed
c     2025-12-31  2024-12-31
b     2000-03-01  2000-03-01
a     2000-02-29  2000-02-29

total  3 checkpoints, 3 files, 1.5 GiB (4.7 KiB on disk), 373.32 M parameters
name,modified
a,951868799
b,951868800
c,1767225599
{"schema":"numel.list/1","path":"a/model.safetensors.head.zst","modified":951868799}
# the first rows; the totals are over all; unknown values stay last
$ numel list --sort bytes --top 2 --columns name,bytes fixtures/gpt2 fixtures/llama-2-7b fixtures/mixtral-8x7b
name                       size
fixtures/mixtral-8x7b  86.9 GiB
fixtures/llama-2-7b    12.5 GiB

total  3 checkpoints, 22 files, 100.0 GiB (19.4 KiB on disk), 53.57 B parameters
$ numel list --sort bytes --reverse --top 2 --columns name,bytes fixtures/gpt2 fixtures/llama-2-7b fixtures/mixtral-8x7b
name                      size
fixtures/gpt2        522.7 MiB
fixtures/llama-2-7b   12.5 GiB

total  3 checkpoints, 22 files, 100.0 GiB (19.4 KiB on disk), 53.57 B parameters
$ numel list --sort parameters --columns name,parameters fixtures/gptq-untold fixtures/gpt2 fixtures/llama-2-7b | head -4
name                 parameters
fixtures/llama-2-7b      6.74 B
fixtures/gpt2          124.44 M
fixtures/gptq-untold
$ numel list --sort parameters --reverse --columns name,parameters fixtures/gptq-untold fixtures/gpt2 fixtures/llama-2-7b | head -4
name                 parameters
fixtures/gpt2          124.44 M
fixtures/llama-2-7b      6.74 B
fixtures/gptq-untold
$ numel list -q --top 1 fixtures/gpt2 fixtures/llama-2-7b; numel list --json --top 1 --columns name fixtures/gpt2 fixtures/llama-2-7b; numel list --csv --top 1 --columns name fixtures/gpt2 fixtures/llama-2-7b | tr -d '\r'
fixtures/gpt2/model.safetensors.head.zst
{"schema":"numel.list/1","path":"fixtures/gpt2/model.safetensors.head.zst","name":"fixtures/gpt2"}
name
fixtures/gpt2
# rank, family and base of an adapter
$ . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | adapter '{"peft_type":"LORA","r":8,"lora_alpha":16,"base_model_name_or_path":"someone/two-layers","target_modules":["q_proj","v_proj"]}' list --columns adapter,rank,family,base
adapter  rank  family                       base
lora        8  llama of width 64, 2 layers  someone/two-layers

total  1 checkpoint, 1 file, 14.9 KiB, 3.58 K parameters
$ . test/cli/causes/adapter.sh; lora 8 q_proj v_proj | adapter '{"peft_type":"LORA","r":8,"lora_alpha":16,"target_modules":["q_proj","v_proj"]}' list --json --columns rank,family,base; sed 's/"path":"[^"]*",//' $T/page
{"schema":"numel.list/1","rank":8,"family":"llama of width 64, 2 layers","base":null}
# changed since a day, which begins at midnight, or in the last hours, days or weeks; what has changed is a file of the model, not its folder
$ cd $T/m; touch b/config.json; for s in 2000-03-01 2000-03-02 2025-12-31 2026-01-01; do numel list -q --since $s; echo; done; touch a/*.zst; numel list -q --since 1h; numel list --since 2w | tail -1
b/model.safetensors.head.zst
c/model.safetensors.head.zst

c/model.safetensors.head.zst

c/model.safetensors.head.zst


a/model.safetensors.head.zst
total  1 checkpoint, 1 file, 522.7 MiB (1.5 KiB on disk), 124.44 M parameters
$ numel list --since yesterday fixtures/gpt2
numel list: --since takes a date like 2026-01-31, or 12h, 7d or 2w, not 'yesterday'
[2]
$ for s in 2026-02-30 2026-13-01 2026-1-1 7 d 7x 99999999999999999999d; do numel list --since $s fixtures/gpt2; done 2>&1 | cut -d, -f4
 not '2026-02-30'
 not '2026-13-01'
 not '2026-1-1'
 not '7'
 not 'd'
 not '7x'
 not '99999999999999999999d'
# errors
$ numel list --reverse fixtures/gpt2
numel: rows that are not sorted cannot be reversed
[2]
$ numel list --top 0 fixtures/gpt2
numel list: --top takes a whole number from 1 to 1099511627776, like 8192 or 8k, not '0'
[2]
# layers as the configuration or the metadata states them; the class shows the head
$ numel list --columns name,layers,class,architecture fixtures/gpt2 fixtures/bert-base fixtures/llama-3.1-8b-q4_k_m fixtures/gptq-untold; numel list --json --columns layers,class fixtures/gpt2
name                                                            layers  class            architecture
fixtures/gpt2                                                       12  GPT2LMHeadModel  gpt2
fixtures/bert-base                                                  12  BertForMaskedLM  bert
fixtures/llama-3.1-8b-q4_k_m/llama-3.1-8b-q4_k_m.gguf.head.zst      32                   llama
fixtures/gptq-untold

total  4 checkpoints, 4 files, 5.5 GiB (8.6 KiB on disk), 8.26 B parameters and 39.89 K elements in 1 checkpoint of unknown architecture
{"schema":"numel.list/1","path":"fixtures/gpt2/model.safetensors.head.zst","layers":12,"class":"GPT2LMHeadModel"}
# totals of folders with all below them. a has 2 and 3, b 1 of 16,454 bytes; what c links to is counted in a, a file that is no checkpoint in none
$ . test/cli/roots.sh; mkdir -p du/a/x/y du/b du/c; cd du; st a/m.safetensors w:F32:64x64:1; st a/x/m.safetensors w:F32:64x64:2; for n in 1 2 3; do st a/x/y/$n.safetensors w:F32:64x64:$n; done; st b/m.safetensors w:F32:64x64:1; ln a/x/m.safetensors c/hard.safetensors; ln -s ../a c/all; ln -s ../a/m.safetensors c/soft.safetensors; echo text >c/no.txt; numel list --totals 1; numel list --totals 3 --csv . | cut -d, -f1,2,4; numel list -q --totals 2
folder  checkpoints  files      size   on disk  damaged or incomplete
.                 6      6  96.4 KiB  96.4 KiB                      0
a                 5      5  80.3 KiB  80.3 KiB                      0
b                 1      1  16.0 KiB  16.0 KiB                      0

total  6 checkpoints, 6 files, 96.4 KiB, 24.58 K elements in 6 checkpoints of unknown architecture; 2 links to these not counted again
path,checkpoints,bytes
.,6,98724
a,5,82270
a/x,4,65816
a/x/y,3,49362
b,1,16454
98724
$ cd $T/du; rm -r c; echo x >b/x.gguf; numel list --totals 1 b a/x a/m.safetensors; numel list --totals 1 --json b | tr -d ' \n'; echo
numel: b/x.gguf:0: is plain text ('x'): a server's response, or a link saved as text: download the file again
folder  checkpoints  files      size   on disk  damaged or incomplete
b                 1      1  16.0 KiB  16.0 KiB                      0
a/x               4      4  64.2 KiB  64.2 KiB                      0
a/x/y             3      3  48.2 KiB  48.2 KiB                      0
a                 1      1  16.0 KiB  16.0 KiB                      0

total  6 checkpoints, 6 files, 96.4 KiB, 24.58 K elements in 6 checkpoints of unknown architecture; 1 could not be read
numel: b/x.gguf:0: is plain text ('x'): a server's response, or a link saved as text: download the file again
{"schema":"numel.folders/1","folders":[{"path":"b","checkpoints":1,"files":1,"bytes":16454,"disk_bytes":16454,"parameters":null,"found":0}],"checkpoints":1,"files":1,"bytes":16454,"disk_bytes":16454,"links":0,"failed":1}
$ numel list --totals 1 --sort bytes fixtures/gpt2; numel list --totals 0 fixtures/gpt2; numel list --totals 1 --leftovers fixtures/gpt2
numel list: --sort cannot be combined with --totals
numel list: --totals takes a whole number from 1 to 1000, not '0'
numel list: --totals cannot be combined with --leftovers
[2]
