# Help begins with examples.
$ numel --help
numel says what is in a model checkpoint: safetensors and GGUF, headers only.

  $ numel model/                     what it is, how much, folded by layer
  $ numel model-00001-of-00004.safetensors   any shard of a set
  $ numel model.gguf --json | jq .counts     exact integers for programs

usage: numel [COMMAND] [OPTIONS] PATH...

  show         what it is, how many elements, folded by layer
  list         every checkpoint in folders of any depth, one per line
  tensors      one line per tensor: name, type, shape, elements, bytes, offset
  meta         metadata and configuration; long arrays abbreviated
  formula      what should be there, from the configuration alone
  reconcile    formula + named causes = file, last line zero
  explain      which way of counting gives that number
  diff         what changed between two checkpoints, or a model and a printout
  verify       is this download complete, and is it what it claims to be
  memory       what it takes to run: weights, cache, the longest context that fits
  print        the module tree as print(model) shows it, from the file alone
  hash         SHA-256 of files, tensors and models, as a manifest
  identify     one line per file: what it is
  behead       header-only copies: 140 GB in some 30 KB; also export-headers
  spec         the architectures and layouts known
  completions  completion scripts for bash, zsh and fish

'numel COMMAND --help' shows examples and options, numel(1) the rest.
exit status: 0 consistent, 1 something was found, 2 usage, 3 unreadable, 4 not
all could be checked, 5 some of many failed
$ numel show --help
  $ numel model/              a folder, a file, an index, or any shard of a set
  $ numel model.gguf --depth 2    fewer levels
  $ numel model/ --by dtype       how much in which element type
  $ numel model/ --by file        what lies in which shard
  $ numel model/ --others         whose number is that on the model's page?
  $ numel -q model/               the element count, nothing else
  $ numel model/ --expect params=8.03B,arch=llama,bits=4   for CI: else status 1

usage: numel show PATH...

The lines of the top level add up to the total. '32 x 202,383,360' is what one
of the folded layers holds; lines below it are inside each of them. Exit status
1 means that the file is damaged, incomplete, or not what its format's
reference accepts.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number (or nothing)
  -d, --depth N            levels of names to open; all that fit unless given
  -b, --by WHAT            group by layer, dtype or file
      --others             what other counters would show, and why
  -s, --sort KEY           by name, elements, bytes, offset or dtype
      --expect KEY=VALUE   params=8.03B,arch=llama,bits=4: else exit status 1
  -c, --config FILE        config.json or params.json to use
      --base PATH          the model that an adapter was made for, to hold it against
  -a, --arch NAME          architecture, instead of the one that fits
      --set KEY=N          a symbol or key of the configuration
      --spec FILE|DIR      specifications of your own
      --values             compare a tied head that is stored with its table
      --no-truncate        cut nothing: names, arrays, tree
      --strict             warnings count as errors
      --max-header BYTES   largest header accepted: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           do not page long output on a terminal
      --no-progress        no progress bar
  -h, --help               this text
$ numel tensors --help
  $ numel tensors model/ --match q_proj       all whose names hold that
  $ numel tensors model/ -m '*.0.*' -m norm   globs are for whole names
  $ numel tensors model.gguf --sort bytes | head
  $ numel tensors model/ --json | jq -r 'select(.dtype=="F32").name'

usage: numel tensors PATH...

With --json one object per line. Offsets are from the start of the file. Exit
status 1 also when a --match matches no name.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number (or nothing)
  -s, --sort KEY           by name, elements, bytes, offset or dtype
  -m, --match GLOB         only names with 'q_proj', or like '*.q_proj.weight'
  -c, --config FILE        config.json or params.json to use
      --base PATH          the model that an adapter was made for, to hold it against
  -a, --arch NAME          architecture, instead of the one that fits
      --set KEY=N          a symbol or key of the configuration
      --spec FILE|DIR      specifications of your own
      --no-truncate        cut nothing: names, arrays, tree
      --strict             warnings count as errors
      --max-header BYTES   largest header accepted: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           do not page long output on a terminal
      --no-progress        no progress bar
  -h, --help               this text
$ numel meta --help
  $ numel meta model.gguf
  $ numel meta model.gguf llama.block_count
  $ numel meta -q model.gguf tokenizer.chat_template
  $ numel meta model/ --json --no-truncate    arrays whole

usage: numel meta PATH [KEY]

GGUF's typed keys, the __metadata__ of safetensors, and config.json beside them
with nested keys written as text_config.hidden_size.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number (or nothing)
      --no-truncate        cut nothing: names, arrays, tree
      --strict             warnings count as errors
      --max-header BYTES   largest header accepted: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           do not page long output on a terminal
      --no-progress        no progress bar
  -h, --help               this text
$ numel identify --help
  $ numel identify downloads/*
  $ numel identify model/         each file of the folder

usage: numel identify PATH...

Says what lies in the folder of a model, from the content: weights,
configurations, tokenizers, templates, code, texts, pickles. Exit status 1 when
a file is damaged, or not what its name promises: a Git LFS pointer, a web page
or a server's answer in its place, JSON or weights that are cut short, a file
that is empty.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number (or nothing)
      --no-truncate        cut nothing: names, arrays, tree
      --strict             warnings count as errors
      --max-header BYTES   largest header accepted: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           do not page long output on a terminal
      --no-progress        no progress bar
  -h, --help               this text
$ numel behead --help
  $ numel behead model/ heads/     heads/NAME.head.zst, index, config.json
  $ numel heads/                   counted like the whole, says 'data absent'

usage: numel behead PATH DIR
       numel export-headers PATH DIR

Nothing is written beside the model. A copy is zstd of the file's header, with
the original's size in a skippable frame: 'zstd -d' gives back the header's
bytes.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number (or nothing)
  -f, --force              overwrite files
      --no-truncate        cut nothing: names, arrays, tree
      --strict             warnings count as errors
      --max-header BYTES   largest header accepted: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           do not page long output on a terminal
      --no-progress        no progress bar
  -h, --help               this text
$ numel --version
numel 0.3.0
