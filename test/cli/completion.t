# Completions: scripts that need no numel while somebody types; `make completions` asks the shells themselves.
$ numel completions bash > $T/n; bash -c 'source $T/n; COMP_WORDS=(numel show --by ""); COMP_CWORD=3; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
numel: completions: cannot open: No such file or directory
numel: bash: cannot open: No such file or directory
$ bash -c 'source $T/n; COMP_WORDS=(numel tensors --sort = b); COMP_CWORD=4; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
$ bash -c 'source $T/n; COMP_WORDS=(numel verify --l); COMP_CWORD=2; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
$ bash -c 'source $T/n; COMP_WORDS=(numel expl); COMP_CWORD=1; _numel 2>/dev/null; echo ${COMPREPLY[@]}'
# A file with a blank in its name is one word; an option of another command is none.
$ mkdir $T/d; touch "$T/d/a model.gguf"; bash -c 'source $T/n; cd $T/d; COMP_WORDS=(numel a); COMP_CWORD=1; _numel 2>/dev/null; printf "[%s]\n" "${COMPREPLY[@]}"'
[]
$ bash -c 'source $T/n; COMP_WORDS=(numel meta --by); COMP_CWORD=2; _numel 2>/dev/null; echo ${#COMPREPLY[@]}'
0
$ numel completions zsh | head -1; numel completions fish | head -1
numel: completions: cannot open: No such file or directory
numel: zsh: cannot open: No such file or directory
numel: completions: cannot open: No such file or directory
numel: fish: cannot open: No such file or directory
#compdef numel
# fish completion for numel, written by 'numel completions fish'
#compdef numel
# fish completion for numel, written by 'numel completions fish'
#compdef numel
# fish completion for numel, written by 'numel completions fish'
#compdef numel
# fish completion for numel, written by 'numel completions fish'
$ numel completions tcsh
numel: completions: cannot open: No such file or directory
numel: tcsh: cannot open: No such file or directory
[3]
$ numel completions
numel: completions: cannot open: No such file or directory
[3]
$ numel completion bash
numel: completion: cannot open: No such file or directory
numel: bash: cannot open: No such file or directory
[3]
