# output.t -- write errors are reported: status 3 from every command, for a full disk and for a closed output. A
# closed descriptor is never reused for a file opened later.
$ for c in show "show --json" "show -q" tensors meta formula reconcile "explain 7B" "diff fixtures/gpt2" verify print hash identify "behead -f"; do o=; [ "$c" != "behead -f" ] || o=$T/h; numel $c fixtures/gpt2 $o >/dev/full 2>$T/full; a=$?; numel $c fixtures/gpt2 $o >&- 2>$T/closed; echo "$c: $a $? $(sort -u $T/full $T/closed)"; done
show: 3 3 numel: cannot write to standard output
show --json: 3 3 numel: cannot write to standard output
show -q: 3 3 numel: cannot write to standard output
tensors: 3 3 numel: cannot write to standard output
meta: 3 3 numel: cannot write to standard output
formula: 3 3 numel: cannot write to standard output
reconcile: 3 3 numel: cannot write to standard output
explain 7B: 3 3 numel: cannot write to standard output
diff fixtures/gpt2: 3 3 numel: cannot write to standard output
verify: 3 3 numel: cannot write to standard output
print: 3 3 numel: cannot write to standard output
hash: 3 3 numel: cannot write to standard output
identify: 3 3 numel: cannot write to standard output
behead -f: 3 3 numel: cannot write to standard output
$ for c in --help --version help "help show" "show --help" "spec list" "spec show llama" "formula --arch llama --set E=64 --set L=2 --set H=4 --set F=128 --set V=100"; do numel $c >/dev/full 2>&1; a=$?; numel $c >&- 2>/dev/null; echo "$c: $a $?"; done
--help: 3 3
--version: 3 3
help: 3 3
help show: 3 3
show --help: 3 3
spec list: 3 3
spec show llama: 3 3
formula --arch llama --set E=64 --set L=2 --set H=4 --set F=128 --set V=100: 3 3
# With nothing to write, nothing is lost; with all three closed, no file takes their places.
$ numel verify -q fixtures/gpt2 >&-
$ cp -r fixtures/gpt2 $T/all; numel behead -f $T/all $T/all.h <&- >&- 2>&-; s=$?; for f in config.json model.safetensors.head.zst; do cmp $T/all/$f $T/all.h/$f; done; (exit $s)
[3]
$ numel show nothing.gguf <&- >&- 2>&-
[3]
