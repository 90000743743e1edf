# Help begins with examples.
$ numel --help
numel shows what is in a model checkpoint: safetensors and GGUF, headers only.

  $ numel model/                     what it is and how large, folded by layer
  $ numel model-00001-of-00004.safetensors   any shard of a set
  $ numel model.gguf --json | jq .counts     exact integers for programs

usage: numel [COMMAND] [OPTIONS] PATH...

  show         what it is, and its elements, folded by layer
  browse       the tree to walk through on a terminal, with sizes and statement
  list         every checkpoint in folders of any depth, one per line
  tensors      one line per tensor: name, type, shape, elements, bytes, offset
  meta         metadata and configuration; long arrays abbreviated
  formula      what should be stored, from the configuration alone
  reconcile    formula + named causes = file, with zero in the last line
  explain      which way of counting gives a number
  diff         what changed between two checkpoints, or a model and a printout
  verify       whether a download is complete and what it claims to be
  memory       memory to run it: weights, cache, the longest context that fits
  print        the module tree as print(model) shows it, from the file alone
  hash         SHA-256 of files, tensors and models, as a manifest
  identify     one line per file: what it is
  behead       header-only copies: 140 GB in some 30 KB; also export-headers
  spec         the known architectures and layouts
  completions  completion scripts for bash, zsh and fish

'numel COMMAND --help' shows examples and options; numel(1) has the rest.
exit status: 0 consistent, 1 something was found, 2 usage, 3 unreadable, 4 not
all of it could be checked, 5 some of many failed
$ numel show --help
  $ numel model/              a folder, a file, an index, or any shard of a set
  $ numel model.gguf --depth 2    fewer levels
  $ numel model/ --by dtype       how much of each element type
  $ numel model/ --by file        what is in which shard
  $ numel model/ --others         where the number on its page comes from
  $ numel -q model/               only the element count
  $ numel model/ --expect params=8.03B,arch=llama   for CI: status 1 if not

usage: numel show PATH...

The lines of the top level add up to the total. '32 x 202,383,360' is the
number of folded layers and the elements of each; lines below it show the
inside of one. Exit status 1 means that the file is damaged or incomplete, or
that its format's reference reader refuses it.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number, or nothing
      --markdown           for model cards and pull requests
      --html FILE          a page for a browser; - for standard output
  -d, --depth N            levels of names to show; default: all that fit
  -b, --by WHAT            group by layer, dtype or file
      --others             what other programs would count, and why
  -s, --sort KEY           by name, elements, bytes, offset or dtype
      --expect KEY=VALUE   params=8.03B,arch=llama,bits=4; exit status 1 if not
  -c, --config FILE        config.json or params.json to use
      --base PATH          the base model of an adapter, to check it against
  -a, --arch NAME          architecture to use instead of the one found
      --set KEY=N          set a symbol or a key of the configuration
      --spec FILE|DIR      your own specifications
      --values             compare a stored tied head with its embedding
      --jobs N             threads (one per processor); requests at once (16)
      --no-truncate        do not truncate
      --strict             warnings count as errors
      --max-header BYTES   largest accepted header: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           no pager for long output on a terminal
      --offline            of remote models only what is in the cache
      --no-cache           neither use nor fill the cache of headers
      --save DIR           keep header-only copies of a remote model
      --no-progress        no progress bar
  -h, --help               this text
$ numel tensors --help
  $ numel tensors model/ --match q_proj       all names that contain q_proj
  $ numel tensors model/ -m '*.0.*' -m norm   globs match whole names
  $ numel tensors model.gguf --sort bytes | head
  $ numel tensors model/ --json | jq -r 'select(.dtype=="F32").name'

usage: numel tensors PATH...

--json writes one object per line. Offsets are from the start of the file. The
exit status is also 1 when a --match matches no name.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number, or nothing
  -s, --sort KEY           by name, elements, bytes, offset or dtype
  -m, --match GLOB         contain 'q_proj', or match '*.q_proj.weight'
  -c, --config FILE        config.json or params.json to use
      --base PATH          the base model of an adapter, to check it against
  -a, --arch NAME          architecture to use instead of the one found
      --set KEY=N          set a symbol or a key of the configuration
      --spec FILE|DIR      your own specifications
      --jobs N             threads (one per processor); requests at once (16)
      --no-truncate        do not truncate
      --strict             warnings count as errors
      --max-header BYTES   largest accepted header: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           no pager for long output on a terminal
      --offline            of remote models only what is in the cache
      --no-cache           neither use nor fill the cache of headers
      --save DIR           keep header-only copies of a remote model
      --no-progress        no progress bar
  -h, --help               this text
$ numel meta --help
  $ numel meta model.gguf
  $ numel meta model.gguf llama.block_count
  $ numel meta -q model.gguf tokenizer.chat_template
  $ numel meta model/ --json --no-truncate    complete arrays

usage: numel meta PATH [KEY]

Shows the typed keys of GGUF, the __metadata__ of safetensors, and the
config.json next to them, whose nested keys are written like
text_config.hidden_size.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number, or nothing
      --jobs N             threads (one per processor); requests at once (16)
      --no-truncate        do not truncate
      --strict             warnings count as errors
      --max-header BYTES   largest accepted header: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           no pager for long output on a terminal
      --offline            of remote models only what is in the cache
      --no-cache           neither use nor fill the cache of headers
      --save DIR           keep header-only copies of a remote model
      --no-progress        no progress bar
  -h, --help               this text
$ numel identify --help
  $ numel identify downloads/*
  $ numel identify model/         each file of the folder

usage: numel identify PATH...

Identifies the files of a model's folder by their content: weights,
configurations, tokenizers, templates, code, texts, pickles. Exit status 1 when
a file is damaged, or is not what its name promises: a Git LFS pointer, a web
page or a server's response saved in its place, truncated JSON or weights, an
empty file.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number, or nothing
      --jobs N             threads (one per processor); requests at once (16)
      --no-truncate        do not truncate
      --strict             warnings count as errors
      --max-header BYTES   largest accepted header: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           no pager for long output on a terminal
      --offline            of remote models only what is in the cache
      --no-cache           neither use nor fill the cache of headers
      --save DIR           keep header-only copies of a remote model
      --no-progress        no progress bar
  -h, --help               this text
$ numel behead --help
  $ numel behead model/ heads/     heads/NAME.head.zst, index, config.json
  $ numel heads/                   counted like the original

usage: numel behead PATH DIR
       numel export-headers PATH DIR

Nothing is written next to the model. A copy is zstd of the file's header, with
the original's size in a skippable frame: 'zstd -d' gives back the header's
bytes.

  -j, --json               JSON with exact integers, for programs
      --ndjson             the same, one object per line
  -q, --quiet              only the one number, or nothing
      --jobs N             threads (one per processor); requests at once (16)
  -f, --force              overwrite files
      --no-truncate        do not truncate
      --strict             warnings count as errors
      --max-header BYTES   largest accepted header: 512MiB, 2GB (100000000)
      --color WHEN         auto, always or never
      --no-pager           no pager for long output on a terminal
      --offline            of remote models only what is in the cache
      --no-cache           neither use nor fill the cache of headers
      --save DIR           keep header-only copies of a remote model
      --no-progress        no progress bar
  -h, --help               this text
$ numel --version
numel 0.3.0

# Help fits a terminal of 80 columns.
$ for c in $(numel --help | awk '/^  [a-z]+  /{print $1}'); do numel $c --help; done > $T/help; numel --help >> $T/help
$ grep -c '^usage' $T/help
18
$ awk 'length > 79' $T/help
