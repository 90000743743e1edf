# usage: awk -f layers.awk layers.txt src/*/*.[ch]
# Fails on an include that climbs, on formula and reader knowing each other, on a command that sees
# more than numel.h and cli.h, and on a third-party header outside its wrapper.
function room(f) { sub(/\/[^\/]*$/, "", f); sub(/.*\//, "", f); return f }
function say(why) { print FILENAME ":" FNR ": " why; bad = 1 }
FILENAME ~ /layers\.txt$/ {
    if ($1 ~ /^#/ || NF < 2) next
    if ($1 ~ /\.h$/) wrapper[$1] = $2; else level[$1] = $2
    next
}
FNR == 1 && !(room(FILENAME) in level) { say("no level given for this folder") }
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, q, "\""); a = room(FILENAME); b = room(q[2])
    if (a == "cli" && q[2] != "cli.h") say("cli includes " q[2] ": only numel.h and cli.h")
    else if (a == b || a == "cli") next
    else if (!(b in level)) say("include \"" q[2] "\" names no folder of src")
    else if (level[a] + 0 <= level[b] + 0) say(a " (" level[a] ") includes " b " (" level[b] ")")
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, q, /[<>]/)
    if (q[2] in wrapper && wrapper[q[2]] != FILENAME) say("<" q[2] "> outside " wrapper[q[2]])
    if (q[2] ~ /^(curl|openssl|cjson)\// && !(q[2] in wrapper)) say("<" q[2] "> has no wrapper")
}
END { if (bad) exit 1 }
