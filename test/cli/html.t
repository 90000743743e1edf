# --html FILE: one page. test/robust/html tests it in a browser; this tests its contents, and where it is written.
$ . test/cli/published.sh; numel "$root/fixtures/gpt2" --html p.html; echo $?; ls; head -c 15 p.html; sed -n 's/.*<\(h[12]\)>/\1 /p' p.html | sed 's/<.*//'; grep -c . p.html | grep -c '[0-9]'
0
p.html
<!doctype html>h1 
h2 Statement
h2 Memory
h2 Tensors
1
# a policy that allows only the page's own style and script, by their digests
$ . test/cli/published.sh; numel "$root/fixtures/gpt2" --html p.html; grep -o "default-src[^\"]*" p.html | sed 's/sha256-[A-Za-z0-9+/=]*/DIGEST/g'; python3 "$root/test/robust/html/policy.py" p.html
default-src 'none'; script-src 'DIGEST'; style-src 'DIGEST'; base-uri 'none'; form-action 'none'
style 1 as its policy says
script 1 as its policy says
# without data under 300 KB; nothing is loaded from anywhere
$ . test/cli/published.sh; numel "$root/fixtures/gpt2" --html - | python3 -c 'import re, sys; page = sys.stdin.read(); print(len(re.sub(r"(?s)<script type.*?</script>|<article.*</article>", "", page)) < 300000); print(re.findall(r"(?:src|href|url)=?[(\"][^\"]*", re.sub(r"(?s)<script>.*?</script>", "", page)), "eval(" in page, "innerHTML" in page)'
True
[] False False
# each command; the data has a document for each report, and a row for each tensor
$ . test/cli/published.sh; for c in show reconcile memory verify "list" "diff $root/fixtures/gpt2"; do numel $c "$root/fixtures/gpt2" --html p.html 2>/dev/null; python3 "$root/test/robust/html/data.py" p.html; done
show main numel.show/1 
reconcile more numel.reconcile/1 
memory more numel.memory/1 
tensors more - rows 160
reconcile main numel.reconcile/1 
show more numel.show/1 
memory more numel.memory/1 
tensors more - rows 160
memory main numel.memory/1 
show more numel.show/1 
reconcile more numel.reconcile/1 
tensors more - rows 160
verify main numel.verify/1 
show more numel.show/1 
reconcile more numel.reconcile/1 
memory more numel.memory/1 
tensors more - rows 160
list main numel.list/1 
diff main numel.diff/1 
tensors more - rows 160
tensors more - rows 160
$ . test/cli/published.sh; numel "$root/fixtures/gpt2" "$root/fixtures/bert-base" none --html p.html; echo $?; python3 "$root/test/robust/html/data.py" p.html
numel: none: cannot open: No such file or directory
5
show main numel.show/1 
reconcile more numel.reconcile/1 
memory more numel.memory/1 
tensors more - rows 160
show main numel.show/1 
reconcile more numel.reconcile/1 
memory more numel.memory/1 
tensors more - rows 206
error main numel.error/1 
# a page is replaced by another one; other files are left alone, and no temporary file remains
$ . test/cli/published.sh; model a; numel "$root/fixtures/gpt2" --html p.html; numel "$root/fixtures/bert-base" --html p.html; grep -o '<title>.*</title>' p.html | sed 's/.*fixtures/fixtures/'; echo mine > own.html; for f in own.html a/model.safetensors a/config.json; do numel a --html $f; done; cat own.html; sha256sum a/model.safetensors | grep -c $H; ls
fixtures/bert-base/model.safetensors.head.zst - numel</title>
numel: own.html: exists and is not a file of that kind: not overwritten
numel: a/model.safetensors: exists and is not a file of that kind: not overwritten
numel: a/config.json: exists and is not a file of that kind: not overwritten
mine
1
a
own.html
p.html
# it does not replace an input, and is not written to another model's folder, a subfolder of it, or a cache
$ . test/cli/published.sh; model a; model b; mkdir b/assets c d e e/f; mv b/config.json d; ln -s b l; echo '{}' > c/config.json; st c/weights.safetensors w:F32:2:1; st e/some.safetensors w:F32:2:1; for f in a b b/../b b/assets l c; do numel a --html $f/p.html 2>&1 | sed "s,'.*/,',"; done; for f in d e e/f; do numel a --html $f/p.html; done; numel list . --html p.html; find . -name '*.html' | sort
numel: a/p.html: no page is written there: it is in an input, 'a'
numel: b/p.html: no page is written there: it is in a model'b'
numel: b/../b/p.html: no page is written there: it is in a model'b'
numel: b/assets/p.html: no page is written there: it is in a model'b'
numel: l/p.html: no page is written there: it is in a model'b'
numel: c/p.html: no page is written there: it is in a model'c'
./d/p.html
./e/f/p.html
./e/p.html
./p.html
$ . test/cli/published.sh; cache; HF_HUB_CACHE=$PWD numel "$M" --html p.html; numel "$M" --html $M/refs/p.html 2>&1 | sed "s/'.*/X/"; mkdir -p o/blobs; model a; OLLAMA_MODELS=$PWD/o numel a --html o/blobs/p.html; find . -name '*.html'
numel: p.html: no page is written there: it is in a cache of models
numel: models--o--n/refs/p.html: no page is written there: it is in an input, X
numel: o/blobs/p.html: no page is written there: it is in a cache of models
# an unwritable output, and an unreadable input
$ . test/cli/published.sh; model a; for f in no/such.html . /dev/full; do numel a --html $f; echo $?; done; numel none --html p.html; ls
numel: no/such.html: cannot write: its folder does not exist
3
numel: .: cannot write: it is a folder
3
numel: /dev/full: cannot write: No space left on device
3
numel: none: cannot open: No such file or directory
a
# standard output has only the page; a device is written to
$ . test/cli/published.sh; model a; numel a --html - | head -1; numel a --html /dev/null; echo $?; numel verify a --html - --junit -; numel verify a --html p.html --junit - | head -1; ls p.html
<!doctype html>
0
numel verify: --junit - and --html - both write to standard output
<?xml version="1.0" encoding="UTF-8"?>
p.html
# it excludes other formats; not every command has it
$ for o in --json --ndjson -q --markdown; do numel --html x.html $o fixtures/gpt2; done; numel list --csv --html x.html fixtures; numel --html; numel --html= fixtures/gpt2; numel tensors --html x fixtures/gpt2; echo $?
numel show: --html cannot be combined with --json
numel show: --html cannot be combined with --ndjson
numel show: --html cannot be combined with --quiet
numel show: --html cannot be combined with --markdown
numel list: --html cannot be combined with --csv
numel show: --html takes a value: --html FILE
numel show: --html takes a value, but it is empty
numel tensors: no option '--html'; it belongs to 'numel show', 'numel list', 'numel reconcile', 'numel diff', 'numel verify' and 'numel memory'
2
# the status is that of the report
$ . test/cli/published.sh; model a; truncate -s -9 a/model.safetensors; numel a --html p.html; echo $?; numel verify a --html p.html; echo $?; python3 "$root/test/robust/html/data.py" p.html | sed -n 1p
1
1
verify main numel.verify/1 
# hostile names, as text
$ . test/cli/published.sh; st x.safetensors '</script><script>alert(1)</script>:F32:2:1' '"><img src=x onerror=alert(1)>:F32:2:1' "$(printf 'bidi\342\200\256txt\342\200\250x'):F32:2:1" '<!--<script>:F32:2:1'; numel x.safetensors --html p.html; echo $?; grep -c '<script' p.html; grep -o '<img\|<!--\|alert(1)<' p.html; grep -o 'bidi[^"<]*' p.html | sort -u
0
2
bidi: isolate; }
bidi\\u202etxt\\u2028x
bidi\u202etxt\u2028x
# a name of 1 MB
$ . test/cli/published.sh; python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import struct, json; h = json.dumps({"a" * 1000000: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode(); open("x.safetensors", "wb").write(struct.pack("<Q", len(h)) + h + bytes(4))' .; numel x.safetensors --html p.html; echo $?; python3 "$root/test/robust/html/data.py" p.html; numel x.safetensors --markdown | wc -c
0
show main numel.show/1 
reconcile more numel.reconcile/1 
memory more numel.memory/1 
tensors more - rows 1
1000349
