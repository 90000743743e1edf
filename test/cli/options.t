# Options: bundles, values, and messages about invalid ones. Nothing is done on a guess.
$ numel -qd2 fixtures/gpt2; numel -q -d=2 fixtures/gpt2; numel tensors -qm '*.wte.weight' fixtures/gpt2
137022720
137022720
numel: fixtures/gpt2/model.safetensors.head.zst: none of its 160 tensor names matches '*.wte.weight'
0
[1]
$ numel -qj fixtures/gpt2 | head -1; numel -jq fixtures/gpt2 | head -1; numel tensors -jm 'h.0.ln_1.*' fixtures/gpt2 | cut -c1-24
{"schema": "numel.show/1",
{"schema": "numel.show/1",
{"name":"h.0.ln_1.bias",
{"name":"h.0.ln_1.weight
$ numel -q -- fixtures/gpt2 -q
numel: -q: cannot open: No such file or directory
137022720
[5]
$ numel --max-header 1KiB fixtures/gpt2
numel: fixtures/gpt2/model.safetensors.head.zst:0: the header says it has 14344 bytes, the limit is 1024 (--max-header raises it)
[3]
$ numel -q --max-header 15kB fixtures/gpt2; numel -q --max-header=1G fixtures/gpt2; numel -q --max-header 14344B fixtures/gpt2
137022720
137022720
137022720
# An invalid letter, also in a bundle; a value for an option without one; long options with one dash.
$ numel -qz fixtures/gpt2
numel show: no option '-z' (in '-qz'); see 'numel show --help'
[2]
$ numel -Z fixtures/gpt2
numel show: no option '-Z'; see 'numel show --help'
[2]
$ numel -json fixtures/gpt2
numel show: no option '-json'; did you mean '--json'?
[2]
$ numel --json=1 fixtures/gpt2
numel show: --json takes no value: '--json=1'
[2]
$ numel -m wte fixtures/gpt2
numel show: no option '-m'; as '--match' it belongs to 'numel tensors'
[2]
# Mistyped, truncated, of another command, and a value without its option.
$ numel --srot name fixtures/gpt2
numel show: no option '--srot'; did you mean '--sort'?
[2]
$ numel --colour always fixtures/gpt2
numel show: no option '--colour'; did you mean '--color'?
[2]
$ numel --dept 3 fixtures/gpt2
numel show: no option '--dept'; did you mean '--depth'?
[2]
$ numel --no fixtures/gpt2
numel show: no option '--no'; did you mean '--no-truncate', '--no-pager', '--no-cache' or '--no-progress'?
[2]
$ numel show --match '*q_proj*' fixtures/gpt2
numel show: no option '--match'; it belongs to 'numel tensors'
[2]
$ numel show --files-only fixtures/gpt2
numel show: no option '--files-only'; it belongs to 'numel hash'
[2]
$ numel hash --matc x fixtures/gpt2
numel hash: no option '--matc'; '--match' belongs to 'numel tensors'
[2]
$ numel verify fixtures/gpt2 --hash
numel verify: no option '--hash'; did you mean '--level hash'?
[2]
$ numel verify fixtures/gpt2 --fast
numel verify: no option '--fast'; did you mean '--level header'?
[2]
# Messages list the accepted values.
$ numel --by foo fixtures/gpt2
numel show: --by takes one of layer, dtype, file; not 'foo'
[2]
$ numel --by dtyp fixtures/gpt2
numel show: --by takes one of layer, dtype, file; not 'dtyp': did you mean 'dtype'?
[2]
$ numel --sort size fixtures/gpt2
numel show: --sort takes one of name, elements, bytes, offset, dtype; not 'size': did you mean 'bytes'?
[2]
$ numel verify --level sha256 fixtures/gpt2
numel verify: --level takes one of header, size, index, config, hash; not 'sha256': did you mean 'hash'?
[2]
$ numel --color=yes fixtures/gpt2
numel show: --color takes one of auto, always, never; not 'yes': did you mean 'always'?
[2]
$ numel --depth 0 fixtures/gpt2
numel show: --depth takes a whole number from 1 to 1000, not '0'
[2]
$ numel --depth 2x fixtures/gpt2
numel show: --depth takes a whole number from 1 to 1000, not '2x'
[2]
$ numel --depth -1 fixtures/gpt2
numel show: --depth takes a whole number from 1 to 1000, not '-1'
[2]
$ numel --depth fixtures/gpt2
numel show: --depth takes a whole number from 1 to 1000, not 'fixtures/gpt2'
[2]
$ numel --max-header 1x fixtures/gpt2
numel show: --max-header takes at least 1 bytes, like 100000000, 100MB or 1GiB, not '1x'
[2]
$ numel --max-header 1gib fixtures/gpt2
numel show: --max-header takes at least 1 bytes, like 100000000, 100MB or 1GiB, not '1gib'
[2]
$ numel --max-header 18446744073709551616 fixtures/gpt2
numel show: --max-header takes at least 1 bytes, like 100000000, 100MB or 1GiB, not '18446744073709551616'
[2]
$ numel --max-header 8388608T fixtures/gpt2
numel show: --max-header takes at least 1 bytes, like 100000000, 100MB or 1GiB, not '8388608T'
[2]
$ numel --max-header 0 fixtures/gpt2
numel show: --max-header takes at least 1 bytes, like 100000000, 100MB or 1GiB, not '0'
[2]
$ numel hash --jobs 1025 fixtures/gpt2
numel hash: --jobs takes a whole number from 1 to 1024, not '1025'
[2]
$ numel --config
numel show: --config takes a value: --config FILE
[2]
$ numel --config --json fixtures/gpt2
numel show: --config takes a value: --config FILE
[2]
$ numel verify --resume= fixtures/gpt2
numel verify: --resume takes a value, but it is empty
[2]
# Commands: mistyped, under other tools' names, after the options; a file with such a name is a file.
$ numel shwo fixtures/gpt2
numel: no command and no file 'shwo'; did you mean 'numel show'?
[2]
$ numel tensor fixtures/gpt2
numel: no command and no file 'tensor'; did you mean 'numel tensors'?
[2]
$ numel info fixtures/gpt2
numel: no command and no file 'info'; did you mean 'numel show'?
[2]
$ numel check fixtures/gpt2
numel: no command and no file 'check'; did you mean 'numel verify'?
[2]
$ numel --json verify fixtures/gpt2
numel: the command comes first: 'numel verify ...'
[2]
$ numel help verfy
numel: no command 'verfy'; did you mean 'verify'?
[2]
$ cd $T; cp "$OLDPWD"/fixtures/gpt2/model.safetensors.head.zst tensor; numel -q tensor
137022720
$ numel ls fixtures/gpt2
numel: no command and no file 'ls'; did you mean 'numel list'?
[2]
$ numel lits fixtures/gpt2
numel: no command and no file 'lits'; did you mean 'numel list'?
[2]
