# usage: awk -f lengths.awk lengths.txt FILE.c FILE.h ...
# Fails on a file of 600 lines or more, on a function of more than 60, and if more than one function in ten
# has 30 or more; src and test are counted separately. The length of a function is that of its body, braces
# included.
# lengths.txt lists exceptions: "FILE REASON" or "FILE FUNCTION REASON"; an unused exception also fails.
#
# clang-format puts both braces of a function in column 0, and no other opening brace, so no parser is
# needed.
function say(why) { print why; bad = 1 }
function end_file() {
    if (file == "" || lines < 600) return
    if ((file, "") in may) used[file, ""] = 1
    else say(file ": " lines " lines, under 600 are allowed")
}
function end_function(length_, where) {
    where = file
    sub(/\/.*/, "", where)
    count[where]++
    if (length_ >= 30) long_[where]++
    if (length_ <= 60) return
    if ((file, name) in may) used[file, name] = 1
    else say(file ":" start ": " name "() has " length_ " lines, 60 are allowed")
}
FILENAME ~ /lengths\.txt$/ {
    if ($1 ~ /^#/ || NF < 2) next
    entry = $2 ~ /^[a-z_0-9]+\(\)$/ ? substr($2, 1, length($2) - 2) : ""
    if (NF < 2 + (entry != "")) say("lengths.txt: no reason for " $1 " " entry)
    may[$1, entry] = 1
    next
}
FNR == 1 { end_file(); file = FILENAME; start = 0; head = "" }
{ lines = FNR }
/^[A-Za-z_].*\(/ && !start { # the name before the first bracket, in the line that begins a declaration
    head = $0
    sub(/\(.*/, "", head)
    sub(/.*[ *]/, "", head)
}
/^[A-Za-z_].*\) \{.*\}$/ { end = FNR; name = head; start = FNR; end_function(1); start = 0 }
/^\{/ { start = FNR; name = head }
/^\}/ && start { end_function(FNR - start + 1); start = 0 }
END {
    end_file()
    for (where in count)
        if (long_[where] * 10 > count[where])
            say(where ": " long_[where] " of " count[where] " functions have 30 lines or more, one in ten may")
    for (entry in may)
        if (!(entry in used)) { split(entry, part, SUBSEP); say("lengths.txt: not needed: " part[1] " " part[2]) }
    if (bad) exit 1
    for (where in count) printf "lengths: %s has %d functions, %d of 30 lines or more\n", where, count[where], long_[where]
}
