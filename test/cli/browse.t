# browse without a terminal: test/cli/browse has one.
$ numel browse --help
  $ numel browse model/
  $ numel browse model.gguf
  $ numel browse pipeline/     each model of it

usage: numel browse PATH

Keys: arrows or h j k l move, Enter goes in and Backspace out; t shows layers,
single tensors, types or roles; s sorts, b counts bytes, elements or
parameters, / searches; r shows the statement, i the details of a row, ? all
keys, q quits. Needs a terminal and ncursesw at build time. The exit status
says nothing of the model: 0, or 5 if some of several models cannot be read.

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
$ numel browse fixtures/gpt2 2>&1 | grep -o "; use .*"; numel browse fixtures/gpt2 2>/dev/null
; use 'numel show fixtures/gpt2', or with --html FILE for a browser
[2]
$ numel browse --json fixtures/gpt2
numel browse: no option '--json'; it belongs to the other commands
[2]
$ numel browse -q fixtures/gpt2
numel browse: no option '-q'; as '--quiet' it belongs to the other commands
[2]
$ numel browse
usage: numel browse PATH
[2]
$ numel browse a b
usage: numel browse PATH
[2]
$ numel browse --depth 2 fixtures/gpt2
numel browse: no option '--depth'; it belongs to 'numel show'
[2]
