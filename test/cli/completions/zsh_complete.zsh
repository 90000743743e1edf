# zsh_complete.zsh FILE LINE -- what zsh offers at the end of LINE, a word a line, with the completions of FILE loaded.
# A shell of its own completes it on a terminal of its own; what is added to the matches is written instead of shown.
zmodload zsh/zpty || exit 1
zpty z zsh -f -i
line=$2
zpty -w z "PS1= PS2= ; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w z 'compadd() {
    local -a found opts; opts=("${@[1,-1]}")
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    builtin compadd -A found -D opts "$@"
    for x in $found; do print -r -- "MATCH $x"; done
}
bindkey "^I" complete-word; zle -C complete-word complete-word only
only() { main() { _main_complete }; _main_complete; print -r -- "MATCH-END"; compstate[insert]=; compstate[list]=; exit }'
zpty -w z 'print READY'
while zpty -r z out; do [[ $out == *READY[^\']* && $out != *print* ]] && break; done
zpty -w -n z "$line"$'\t'
for i in {1..2000}; do
    zpty -r z out || break
    [[ $out == *MATCH-END* ]] && break
    [[ $out == *"MATCH "* ]] && print -r -- "${${out#*MATCH }%%[[:cntrl:]]*}"
done
zpty -d z
