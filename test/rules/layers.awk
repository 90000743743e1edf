# usage: nm -Ag OBJECTS... | awk -f layers.awk layers.txt - src/*/*.[ch]
# Checks the includes in src, and the system calls of its objects, against layers.txt. Fails on
#   - a dependency that is not listed, and a listed debt that is paid;
#   - a NAME_internal.h included by another room: it defines the private parts of a struct;
#   - an included .c file, a path with "..", an unknown room;
#   - a command that uses more of the library than numel.h;
#   - a third-party header outside its wrapper;
#   - a system call outside the room that may make it;
#   - a name that two objects define: a program that links both would not link.
function room(f) { sub(/\/[^\/]*$/, "", f); sub(/.*\//, "", f); return f }
function say(why) { print why; bad = 1 }
function here() { return FILENAME ":" FNR ": " }
function read_rule(    i, k, n, r, other, below) {
    if ($1 ~ /^#/ || NF == 0) return
    if ($1 == "header") { wrapper[$2] = $3; return }
    if ($1 == "debt") { debt[$2, $3] = 1; if (NF < 4) say("layers.txt: a debt without a reason"); return }
    if ($1 == "allow") { allowed[$2, $3] = 1; if (NF < 4) say("layers.txt: no reason to allow " $3); return }
    if ($1 == "calls") {
        n = split($2, r, ",")
        for (i = 3; i <= NF; i++) for (k = 1; k <= n; k++) { system_call[$i] = $2; may_call[r[k], $i] = 1 }
        return
    }
    known[$1] = 1
    for (i = 2; i <= NF; i++) {
        other = substr($i, 2)
        if (!(other in known)) say("layers.txt: " $1 " comes before " other)
        may[$1, other] = 1
        for (below in known) if ((other, below) in may) may[$1, below] = 1
    }
}
# "build/release/src/reader/find.o: U open64"; __open_chk and __open_2 count as open. "...o:0123 T find" is a definition.
function read_symbol(    object, name) {
    object = $1
    sub(/:.*/, "", object)
    sub(/^.*src\//, "src/", object)
    name = $NF
    if ($(NF - 1) ~ /^[BCDRT]$/) {
        if (name in definer && name != "main") say(object ": defines " name ", and so does " definer[name])
        definer[name] = object
        return
    }
    sub(/@.*/, "", name)
    if (name ~ /^__.*_(chk|2)$/) { sub(/^__/, "", name); sub(/_(chk|2)$/, "", name) }
    sub(/^__isoc[0-9]*_/, "", name)
    sub(/64$/, "", name)
    symbols++
    if (!(name in system_call) || (room(object), name) in may_call) return
    if ((object, name) in allowed) { needed[object, name] = 1; return }
    say(object ": calls " name "(), which only " system_call[name] " may")
}
function read_include(a, path,    b) {
    b = room(path)
    if (path ~ /\.c$/) say(here() "includes a .c file, " path)
    else if (path ~ /(^|\/)\.\.?\//) say(here() "the path of " path " climbs")
    else if (a == "cli") {
        if (path !~ /^(cli|browse|fetch\/protocol)\.h$/) say(here() "cli includes " path ": only numel.h, cli.h, browse.h and fetch/protocol.h")
    }
    else if (path !~ /\// || !(b in known)) say(here() "include \"" path "\" names no room of src")
    else if (a == b) return
    else if ((a, path) in debt) needed[a, path] = 1
    else if (path ~ /_internal\.h$/) say(here() path " is " b "'s alone")
    else if ((a, b) in may) return
    else if ((a, b) in debt) needed[a, b] = 1
    else say(here() "no arrow leads from " a " to " b " (" path ")")
}
FILENAME ~ /layers\.txt$/ { read_rule(); next }
FILENAME == "-" || FILENAME == "" { if (NF > 1) read_symbol(); next }
FNR == 1 && !(room(FILENAME) in known) { say(FILENAME ": " room(FILENAME) " is not a room of layers.txt") }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, q, "\""); read_include(room(FILENAME), q[2]) }
/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, q, /[<>]/)
    if (q[2] in wrapper && wrapper[q[2]] != FILENAME) say(here() "<" q[2] "> outside " wrapper[q[2]])
    if (q[2] ~ /^(curl|openssl|cjson)\// && !(q[2] in wrapper)) say(here() "<" q[2] "> has no wrapper")
}
END {
    for (k in debt) if (!(k in needed)) { split(k, q, SUBSEP); say("layers.txt: paid: debt " q[1] " " q[2]) }
    for (k in allowed) if (!(k in needed)) { split(k, q, SUBSEP); say("layers.txt: not needed: allow " q[1] " " q[2]) }
    if (!symbols) say("no symbols: nothing is known of what is called")
    if (bad) exit 1
    print "layers: ok"
}
