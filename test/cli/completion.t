# Completions: scripts that do not run numel while the user types; `make completions` tests the shells themselves.
$ numel completions bash > $T/n; bash -c 'source $T/n; COMP_WORDS=(numel show --by ""); COMP_CWORD=3; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
layer dtype file
$ bash -c 'source $T/n; COMP_WORDS=(numel tensors --sort = b); COMP_CWORD=4; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
bytes
$ bash -c 'source $T/n; COMP_WORDS=(numel verify --l); COMP_CWORD=2; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
--level
$ bash -c 'source $T/n; COMP_WORDS=(numel expl); COMP_CWORD=1; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
explain
# A file name with a blank is one word; options of other commands are not offered.
$ mkdir $T/d; touch "$T/d/a model.gguf"; bash -c 'source $T/n; cd $T/d; COMP_WORDS=(numel a); COMP_CWORD=1; _numel 2>/dev/null; printf "[%s]\n" "${COMPREPLY[@]}"'
[a model.gguf]
$ bash -c 'source $T/n; COMP_WORDS=(numel meta --by); COMP_CWORD=2; _numel 2>/dev/null; echo ${#COMPREPLY[@]}'
0
$ numel completions zsh | head -1 | cut -c2-; numel completions fish | head -1 | cut -c3-
compdef numel
fish completion for numel, written by 'numel completions fish'
$ numel completions tcsh
numel completions: takes bash, zsh or fish, not 'tcsh'
[2]
$ numel completions
usage: numel completions bash|zsh|fish
[2]
$ numel completion bash
numel: no command and no file 'completion'; did you mean 'numel completions'?
[2]
