# --ndjson: one object per line, for any number of paths; an unreadable input is a line in its place.
$ cd fixtures; numel --ndjson gpt2 none falcon-7b 2>/dev/null | cut -c1-25; numel --ndjson gpt2 | wc -l
{"schema": "numel.show/1"
{"schema": "numel.error/1
{"schema": "numel.show/1"
1
$ cd fixtures; numel verify --ndjson gpt2 falcon-7b | python3 -c 'import json,sys; print([json.loads(l)["ok"] for l in sys.stdin])'
[True, True]
$ cd fixtures; for c in show meta formula reconcile print verify hash identify "explain 7B" tensors; do echo $c $(numel $c --ndjson gpt2 2>/dev/null | python3 -c 'import json,sys; print(len({json.loads(l)["schema"] if "schema" in l else "tensor" for l in sys.stdin}))'); done
show 1
meta 1
formula 1
reconcile 1
print 1
verify 1
hash 1
identify 1
explain 7B 1
tensors 1
$ cd fixtures; numel --ndjson gpt2 falcon-7b | head -1 | wc -l; numel -q --ndjson gpt2 | wc -l; numel --json gpt2 falcon-7b | head -1
1
1
[
