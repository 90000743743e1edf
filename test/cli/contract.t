# The JSON contract of formula and reconcile: these keys, and for lists the keys of each element. Keys may be
# added; none changes its name or meaning.

# numel.formula/1: schema, architecture, symbols {name, value, from, evidence}, terms {role, expr, each,
# times, total}, expression, total, tensors; added: a term's buffer and evidence, buffers, unread.
$ numel formula --json fixtures/mixtral-8x7b | sed -n 's/^[{ ]"\([a-z_]*\)":.*/\1/p' | tr '\n' ' '
schema judgement architecture symbols unread terms expression total tensors buffers cache 
$ numel formula --json fixtures/mixtral-8x7b | grep -o '^  {.*}' | sed 's/:"[^"]*"//g; s/:[^,}]*//g' | sort | uniq -c | awk '{ print $2 }'
{"name","value","evidence","from"}
{"role","expr","each","times","total","buffer","evidence"}
# each * times = total of a term, and the totals add up to total
$ numel formula --json fixtures/mixtral-8x7b | sed -n 's/.*"each":\([0-9]*\),"times":\([0-9]*\),"total":\([0-9]*\).*/\1 \2 \3/p' | awk '$1 * $2 != $3 { print "no product:", $0 } { sum += $3 } END { printf "%.0f\n", sum }'
46702792704
$ test $(numel formula -q fixtures/mixtral-8x7b) = 46702792704

# numel.reconcile/1: schema, path, architecture, symbols, statement {cause, detail, tensors, elements},
# formula, stored, unexplained, missing {name, shape}, unexpected {name, shape}, mismatched {name,
# expected, actual}, agrees; statement and unexplained add up to stored; added: expression, adapter, verdict, counts, an unexpected tensor's cause.
$ . test/cli/causes/build.sh; llama | without 'layers.1.*up' | changed '/0.*gate/s/128/120/' | with 'tensor what.is.this F16 8 64' | reconcile >/dev/null; sed -n 's/^[{ ]"\([a-z_]*\)":.*/\1/p' $T/json | tr '\n' ' '
schema judgement name path architecture expression adapter symbols statement formula stored unexplained agrees verdict in_part counts quantization solutions ground roles missing unexpected mismatched contradictions reasons unchecked 
$ sed 's/\[\([0-9]*\),[0-9, ]*\]/\1/g' $T/json | grep -o '^  {.*}' | sed 's/:"[^"]*"//g; s/:[^,}]*//g' | sort | uniq -c | awk '{ print $2 }'
{"cause","tensors","elements","bytes","detail","code","ground"}
{"name","expected","expected_type","actual","actual_type"}
{"name","shape","cause"}
{"name","shape"}
{"name","value","evidence","from"}
{"role","elements"}
$ grep -A3 -E '"(missing|unexpected|mismatched|agrees|unexplained)":' $T/json
 "unexplained": 512,
 "agrees": false,
 "verdict": "disagrees: 1 missing, 1 of the wrong shape, 1 unexpected",
 "in_part": false,
 "counts": {"logical":98624,"unique":98624,"parameters":98112,"buffers":0,"non_embedding":81728,"active":98112},
--
 "missing": [
  {"name":"model.layers.1.mlp.up_proj.weight","shape":[128,64]}],
 "unexpected": [
  {"name":"what.is.this","shape":[8,64],"cause":"unknown"}],
 "mismatched": [
  {"name":"model.layers.0.mlp.gate_proj.weight","expected":[128,64],"expected_type":null,"actual":[120,64],"actual_type":null}],
 "contradictions": [],
 "reasons": [],
# the counts of design.md that need the formula
$ grep -o '"counts": {.*}' $T/json | sed 's/:[0-9]*//g'
"counts" {"logical","unique","parameters","buffers","non_embedding","active"}

# The same keys when there is no formula: null, or an empty list. An unknown architecture has terms and notes in
# addition, and its expression is inferred (unknown.t).
$ printf 'file m.safetensors\ntensor what.is.this F32 3 5\n' > $T/w.txt && mkhead -q $T/w.txt $T/w >$T/said && cd $T && numel reconcile --json w
{"schema": "numel.reconcile/1",
 "judgement": {"kind":"model","verdict":"unknown","architecture":null,"name":null,"known_by":null,"causes":[]},
 "name": null,
 "path": "w/m.safetensors.head.zst",
 "architecture": null,
 "expression": "15",
 "adapter": null,
 "symbols": [],
 "terms": [
  {"name":"what.is.this","expr":"15","each":15,"times":1,"total":15,"evidence":"inferred"}],
 "notes": [
  {"note":"no formula for 5"},
  {"note":"inferred: expressions that give the right numbers for unknown names; sizes that are equal by chance cannot be told apart"}],
 "statement": [],
 "formula": null,
 "stored": 15,
 "unexplained": null,
 "agrees": null,
 "verdict": "no formula: no configuration (--config FILE, or --arch NAME with --set SYM=N)",
 "in_part": false,
 "counts": null,
 "quantization": null,
 "solutions": [],
 "ground": {"shape":0,"name":0,"none":1},
 "roles": [],
 "missing": [],
 "unexpected": [],
 "mismatched": [],
 "contradictions": [],
 "reasons": [],
 "unchecked": []}
[4]

# Statement and unexplained add up to stored for every fixture, and unexplained is 0 wherever it agrees, fully or
# in part.
$ for m in fixtures/*/config.json; do numel reconcile --json ${m%/*} | awk -v m=${m%/*} '/"cause":/ { match($0, /"elements":-?[0-9]+/); sum += substr($0, RSTART + 11, RLENGTH - 11) } /^ "(stored|unexplained)"/ { gsub(/[^0-9-]/, ""); v[++n] = $0 + 0 } /^ "(agrees|in_part)": true/ { agrees = $1 } END { print m, (n == 2 && sum + v[2] == v[1] && v[2] == 0 && agrees ? "adds up, " agrees : "does not add up") }'; done
fixtures/bert-base adds up, "agrees":
fixtures/deepseek-v3 adds up, "agrees":
fixtures/falcon-7b adds up, "agrees":
fixtures/gpt-oss-120b adds up, "agrees":
fixtures/gpt-oss-20b adds up, "agrees":
fixtures/gpt2 adds up, "agrees":
fixtures/gptq-tiny adds up, "agrees":
fixtures/kimi-k2.5 adds up, "agrees":
fixtures/llama-2-7b-2023 adds up, "agrees":
fixtures/llama-2-7b adds up, "agrees":
fixtures/llama-3.1-8b-bnb-4bit adds up, "agrees":
fixtures/llama-3.1-8b-w4a16 adds up, "agrees":
fixtures/llama-3.1-8b adds up, "agrees":
fixtures/mixtral-8x7b adds up, "agrees":
fixtures/qwen3-0.6b adds up, "agrees":

# Several: a list of them.
$ numel reconcile --json fixtures/gpt2 fixtures/llama-2-7b | grep -E '^[][,]|"schema"'
[
{"schema": "numel.reconcile/1",
,{"schema": "numel.reconcile/1",
]
# An error as an object: path, error {code, offset, message}.
$ numel reconcile --json fixtures/none
numel: fixtures/none: cannot open: No such file or directory
{"schema": "numel.error/1",
 "path": "fixtures/none",
 "error": {"code":"IO","file":"fixtures/none","offset":null,"message":"cannot open: No such file or directory"}}
[3]
$ numel formula --json fixtures/none
numel: fixtures/none: cannot open: No such file or directory
{"schema": "numel.error/1",
 "path": "fixtures/none",
 "error": {"code":"IO","file":"fixtures/none","offset":null,"message":"cannot open: No such file or directory"}}
[3]

# numel.show/1: counts.parameters of a single model of any kind: language, quantized, GGUF, diffusers, timm, in a
# pipeline, in training. It is null for unknown models, for an adapter alone, and for a module of
# sentence-transformers alone, whose class is in the index above it.
$ for m in qwen3-0.6b bert-base gpt-oss-20b llama-3.1-8b-w4a16 llama-3.1-8b-bnb-4bit llama-3.1-8b-q4_k_m; do printf '%s ' $m; numel --json fixtures/$m | grep -o '"parameters":[^,]*'; done
qwen3-0.6b "parameters":596049920
bert-base "parameters":109514298
gpt-oss-20b "parameters":20914757184
llama-3.1-8b-w4a16 "parameters":8030261248
llama-3.1-8b-bnb-4bit "parameters":8030261248
llama-3.1-8b-q4_k_m "parameters":8030261248
$ mkhead -q test/cli/diffusers/tiny-unet.txt $T/tiny >$T/said; cp test/cli/diffusers/tiny-unet.json $T/tiny/config.json; numel --json $T/tiny | grep -o '"parameters":[^,]*'
"parameters":51684
$ for m in resnet swin efficientnet; do mkhead -q test/cli/timm/tiny-$m.txt $T/$m >$T/said; cp test/cli/timm/tiny-$m.json $T/$m/config.json; printf '%s ' $m; numel --json $T/$m | grep -o '"parameters":[^,]*,"buffers":[^,]*'; done
resnet "parameters":63037,"buffers":767
swin "parameters":14183,"buffers":16807
efficientnet "parameters":72299,"buffers":2680
$ cd $T; zstd -dc --long=27 "$OLDPWD/test/truth/components/folders.tar.zst" | tar -xf - sentence-transformers/t5-dense pipelines/tiny-sd3; for m in sentence-transformers/t5-dense/2_Dense pipelines/tiny-sd3/transformer pipelines/tiny-sd3/text_encoder pipelines/tiny-sd3/vae; do printf '%s ' $m; numel --json $m | grep -o '"parameters":[^,]*'; done
sentence-transformers/t5-dense/2_Dense "parameters":null
pipelines/tiny-sd3/transformer "parameters":78672
pipelines/tiny-sd3/text_encoder "parameters":20330
pipelines/tiny-sd3/vae "parameters":679043
$ sed 's/^tensor conv_out.bias F32 4$/&\ntensor optimizer.state.conv_out.bias.exp_avg F32 4\ntensor optimizer.state.conv_out.bias.exp_avg_sq F32 4/' test/cli/diffusers/tiny-unet.txt >$T/train.txt; mkhead -q $T/train.txt $T/train >$T/said; cp test/cli/diffusers/tiny-unet.json $T/train/config.json; numel --json $T/train | grep -o '"stored":[^,]*\|"parameters":[^,]*'
"stored":51692
"parameters":51684
$ printf 'file m.safetensors\ntensor what.is.this F32 3 5\n' >$T/w.txt; mkhead -q $T/w.txt $T/w2 >$T/said; numel --json $T/w2 | grep -o '"parameters":[^,]*'
"parameters":null
$ m=lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn2_to_k; printf '%s\n' "file x.safetensors" "tensor $m.lora_down.weight F16 4 768" "tensor $m.lora_up.weight F16 320 4" >$T/a.txt; mkhead -q $T/a.txt $T/a2 >$T/said; numel --json $T/a2 | grep -o '"counts".*'
"counts": {"tensors":2,"stored":4352,"logical":null,"unique":null,"parameters":null,"buffers":null,"non_embedding":null,"active":null},
