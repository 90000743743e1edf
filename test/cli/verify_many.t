# verify on several checkpoints: a report each, and their total. The total is for people only.
$ numel verify fixtures/llama-2-7b fixtures/gpt2 | sed -n '/^total/,$p'
total     2 checkpoints, 3 files
size      13.0 GiB
verdicts  0 complete, 0 damaged, 2 not fully checked, 0 unreadable
findings  0 errors, 0 warnings, 2 notes
$ numel verify fixtures/gpt2 | grep -c ^total
0
[1]
# every kind of verdict once: complete (all sizes follow from the configuration), damaged, not fully checked, unreadable
$ cd $T; mkhead -q --data $OLDPWD/test/robust/faults/llama.txt good >/dev/null; cp $OLDPWD/test/robust/faults/config.json good; cp -r good cut; truncate -s -100 cut/model-00004-of-00004.safetensors; cp -r good bare; rm bare/config.json; numel verify good cut bare none 2>&1 | sed -n '/^total/,$p'; cat good/*.safetensors cut/*.safetensors bare/*.safetensors | wc -c; numel verify good cut bare none >/dev/null 2>&1; echo $?
total     4 checkpoints, 12 files
size      1.0 MiB
verdicts  1 complete, 1 damaged, 1 not fully checked, 1 unreadable
findings  1 error, 0 warnings, 1 note
1142540
5
# a folder with several
$ cd $T; mkhead -q --data $OLDPWD/test/robust/faults/llama.txt f/a >/dev/null; cp -r f/a f/b; numel verify f | grep -E '^(f/|total|verdicts|findings)'
f/a
f/b
total     2 checkpoints, 8 files
verdicts  0 complete, 0 damaged, 2 not fully checked, 0 unreadable
findings  0 errors, 0 warnings, 2 notes
# not with -q; JSON has only the reports
$ numel verify -q fixtures/llama-2-7b fixtures/gpt2
$ numel verify --json fixtures/llama-2-7b fixtures/gpt2 none 2>/dev/null | python3 -c 'import json, sys; print([r["schema"] for r in json.load(sys.stdin)])'
['numel.verify/1', 'numel.verify/1', 'numel.error/1']
$ numel verify --ndjson fixtures/llama-2-7b fixtures/gpt2 | python3 -c 'import json, sys; print([json.loads(l)["schema"] for l in sys.stdin])'
['numel.verify/1', 'numel.verify/1']
# with --strict warnings count as errors
$ . test/cli/published.sh; for f in a b; do st $f.gguf w:F32:4:1; printf x >> $f.gguf; done; numel verify a.gguf b.gguf | tail -4; numel verify --strict a.gguf b.gguf | tail -4
total     2 checkpoints, 2 files
size      322 B
verdicts  0 complete, 0 damaged, 2 not fully checked, 0 unreadable
findings  0 errors, 2 warnings, 2 notes
total     2 checkpoints, 2 files
size      322 B
verdicts  0 complete, 2 damaged, 0 not fully checked, 0 unreadable
findings  2 errors, 0 warnings, 2 notes
# at every width
$ . test/cli/published.sh; model a; model b; COLUMNS=60 numel verify a b none 2>/dev/null | tail -5
total     3 checkpoints, 2 files
size      16.2 KiB
verdicts  0 complete, 0 damaged, 2 not fully checked, 1
          unreadable
findings  0 errors, 0 warnings, 2 notes
