# embed.awk -- LC_ALL=C awk -v told=LINES -f embed.awk FILE... > embedded.c
#
# The files of src/formula as one text, with the tables that lead into it; formula/embedded.h says what they hold.
# Read here, of specs and blocks, is what must be known of all of them before one is parsed: names, match
# lines, what they use, their words. Lines that a file's tensors tell go to LINES, for make/index.c.
#
# POSIX awk, on bytes. The text is one string literal, longer than C asks a compiler to take; ours do.

function fail(what) {
    print "embed.awk: " what | "cat 1>&2"
    failed = 1
    exit 1
}

# Appends to the literal; returns where it begins.
function put(s,   from, piece) {
    from = at
    at += length(s)
    for (; length(s); s = substr(s, 2001)) {
        piece = substr(s, 1, 2000)
        gsub(/\\/, "&&", piece)
        gsub(/"/, "\\\\&", piece)
        gsub(/\?/, "\\\\&", piece) # no trigraphs
        gsub(/\r/, "\\r", piece)
        gsub(/\n/, "\\n", piece)
        print "    \"" piece "\""
    }
    return from
}

function put_name(s,   from) { # with a NUL behind it
    from = put(s)
    print "    \"\\000\""
    at++
    return from
}

# Sorts a[1..n] in place: heapsort, bytewise.
function sort(a, n,   i, x) {
    for (i = int(n / 2); i >= 1; i--) sift(a, i, n)
    for (i = n; i > 1; i--) {
        x = a[1]; a[1] = a[i]; a[i] = x
        sift(a, 1, i - 1)
    }
}
function sift(a, i, n,   k, x) {
    x = a[i]
    while ((k = 2 * i) <= n) {
        if (k < n && a[k + 1] "" > a[k] "") k++
        if (a[k] "" <= x "") break
        a[i] = a[k]
        i = k
    }
    a[i] = x
}

# ---- reading ----------------------------------------------------------------------------------

function begin_file(   part, n) {
    n = split(FILENAME, part, "/")
    is_spec = FILENAME ~ /\.spec$/
    is_table = FILENAME ~ /\.table$/
    is_skeletons = FILENAME ~ /\/skeletons\.table$/
    whole = FILENAME ~ /(families|pipelines)\.table$/ ? substr(part[n], 1, length(part[n]) - 6) : ""
    section = 0
    if (is_table) return
    f++
    file[f] = name[f] = part[n]
    family[f] = part[n - 1]
    text[f] = at
    kind[f] = is_spec ? "EMBEDDED_BLOCK" : FILENAME ~ /\.(layout|forms)$/ ? "EMBEDDED_LAYOUT" : "EMBEDDED_PRINT"
    if (is_spec) name[f] = substr(file[f], 1, length(file[f]) - 5)
}

# match SIDE FIELD in WORD...: where each word lies
function match_line(line, from,   i, word) {
    for (i = 1; match(line, /[^ \t\r]+/); i++) {
        word = substr(line, RSTART, RLENGTH)
        if (word ~ /^#/) break
        if (i == 2) side = word
        if (i == 3) field = word
        if (i == 3 && !((side, field) in field_of)) field_of[side, field] = fields++
        if (i == 4 && word != "in") fail(FILENAME ": " $0)
        if (i > 4) key[++keys] = sprintf("%03d", field_of[side, field]) SUBSEP word SUBSEP f SUBSEP from + RSTART - 1
        from += RSTART + RLENGTH - 1
        line = substr(line, RSTART + RLENGTH)
    }
    if (side == "hf") serves_hf[f] = 1
}

function spec_line(   line, word) {
    if ($1 == "arch" && kind[f] == "EMBEDDED_BLOCK") {
        kind[f] = "EMBEDDED_ARCH"
        if ($2 != name[f]) fail(FILENAME ": arch " $2 ", and the file is named " name[f])
    }
    if ($1 == "match") match_line($0, at)
    if ($1 == "use") uses[f] = uses[f] " " $2
    for (line = $0; match(line, /[A-Za-z0-9_-]+/); line = substr(line, RSTART + RLENGTH)) {
        word = substr(line, RSTART, RLENGTH)
        if (!(word in seen)) vocabulary[++words] = word
        else if (seen[word] == f) continue
        seen[word] = f
        holders[word] = holders[word] " " f
    }
}

# What the line has in quotes behind a key, with the key in front.
function quoted(key) {
    if (!match($0, " " key "=\"[^\"]*\"")) return ""
    return " " key " " substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
}

BEGIN {
    at = f = fields = keys = words = defaults = classes = parts = held = 0
    print "/* Made by embed.awk: the files of src/formula, and their index. */"
    print "#include \"formula/embedded.h\""
    print ""
    print "static const char text[] ="
}
FNR == 1 { begin_file() }
is_spec && !section && $1 == "print" { section = 1 }
is_spec && !section { spec_line() }
whole && $1 !~ /^#/ {
    if (!(whole in whole_at)) whole_at[whole] = at
    whole_bytes[whole] += length($0) + 1
}
is_skeletons && $1 !~ /^#/ { # only the classes go into the text
    print at, length($1), "names", $2 > told
    told_classes++
    $0 = $1
}
/ id="/ && FILENAME ~ /\/(timm|open_clip|original)\.table$/ {
    tells[at] = quoted("id") quoted("before") quoted("names")
    sub(/ names="[^"]*"/, "")
}
is_table && NF && $1 !~ /^#/ && !whole && !is_skeletons {
    place = $1 SUBSEP sprintf("%09d", at) SUBSEP length($0)
    if (FILENAME ~ /classes\.table$/) class_line[++classes] = place
    else default_line[++defaults] = place
}
{ put($0 "\n") }
!is_table { bytes[f] = at - text[f] }
!is_table && !section { spec_bytes[f] = bytes[f] }

# ---- writing ----------------------------------------------------------------------------------

# All that a file uses, and what that uses, itself first.
function closure(i, list,   part, n, k) {
    if (i in inside) return list
    inside[i] = 1
    list = list " " rank[i]
    n = split(uses[i], part, " ")
    for (k = 1; k <= n; k++) {
        if (!(part[k] in by_name)) fail(file[i] ": use " part[k])
        list = closure(by_name[part[k]], list)
    }
    return list
}

# A table of numbers, which are the words of its lines.
function begin_table(declaration) { print "const " declaration " = {" }
function end_table() { print "};" }

# Where the lines of a table lie, by their first words.
function write_lines(what, line, n,   k, part) {
    sort(line, n)
    begin_table("struct embedded_default embedded_" (what == "class" ? "classes" : what "s") "[]")
    for (k = 1; k <= n; k++) {
        split(line[k], part, SUBSEP)
        print "    { " part[2] + 0 ", " part[3] " },"
        if (part[2] + 0 in tells) print part[2] + 0, part[3] tells[part[2] + 0] > told
    }
    print "    { 0, 0 } };"
    print "const uint32_t embedded_" what "_count = " n + 0 ";"
}

# A table that is read from its first line to its last.
function write_whole(t) {
    print "const uint32_t embedded_" t " = " whole_at[t] + 0 ", embedded_" t "_bytes = " whole_bytes[t] + 0 ";"
}

END {
    if (failed) exit 1
    for (i = 1; i <= f; i++) {
        if (name[i] in by_name) fail("two files are named " name[i])
        by_name[name[i]] = i
        sorted[i] = name[i]
    }
    sort(sorted, f)
    for (k = 1; k <= f; k++) rank[by_name[sorted[k]]] = k - 1
    for (k = 1; k <= f; k++) {
        i = by_name[sorted[k]]
        name_at[i] = put_name(name[i])
        file_at[i] = put_name(file[i])
        if (!(family[i] in family_at)) family_at[family[i]] = put_name(family[i])
    }
    for (x in field_of) {
        split(x, part, SUBSEP)
        field_side[field_of[x]] = part[1] == "hf" ? "SIDE_HF" : "SIDE_GGUF"
        field_at[field_of[x]] = put_name(part[2])
    }
    vocabulary_at = at
    for (k = 1; k <= words; k++) word_at[k] = put(vocabulary[k] "\n")
    print ";"
    print "const char *const embedded_text = text;"

    begin_table("struct embedded_file embedded_files[]")
    for (k = 1; k <= f; k++) {
        i = by_name[sorted[k]]
        split("", inside)
        n = split(kind[i] == "EMBEDDED_ARCH" ? closure(i, "") : "", part, " ")
        print "    { " text[i] ", " bytes[i] ", " spec_bytes[i] + 0 ", " name_at[i] ", " file_at[i] ", " family_at[family[i]] \
              ", " parts + 0 ", " n ", " length(name[i]) ", " kind[i] ", " serves_hf[i] + 0 " },"
        for (p = 1; p <= n; p++) part_of[parts++] = part[p]
    }
    end_table()
    print "const uint32_t embedded_count = " f ";"
    begin_table("uint16_t embedded_parts[]")
    for (p = 0; p < parts; p++) print part_of[p] ","
    print "0 };"

    begin_table("struct embedded_field embedded_fields[]")
    for (k = 0; k < fields; k++) print "    { " field_at[k] ", " field_side[k] " },"
    end_table()
    print "const uint32_t embedded_field_count = " fields + 0 ";"
    sort(key, keys)
    begin_table("struct embedded_key embedded_keys[]")
    for (k = 1; k <= keys; k++) {
        split(key[k], part, SUBSEP)
        print "    { " part[4] ", " length(part[2]) ", " part[1] + 0 ", " rank[part[3]] " },"
    }
    end_table()
    print "const uint32_t embedded_key_count = " keys + 0 ";"

    print "const uint32_t embedded_vocabulary = " vocabulary_at ";"
    print "const uint32_t embedded_word_count = " words + 0 ";"
    begin_table("struct embedded_word embedded_words[]")
    for (k = 1; k <= words; k++) {
        print "    { " word_at[k] ", " held + 0 " },"
        n = split(holders[vocabulary[k]], part, " ")
        for (p = 1; p <= n; p++) holder[held++] = rank[part[p]]
    }
    print "    { " at ", " held + 0 " } };"
    begin_table("uint16_t embedded_holders[]")
    for (p = 0; p < held; p++) print holder[p] ","
    print "0 };"

    write_lines("default", default_line, defaults)
    write_lines("class", class_line, classes)
    print "const uint32_t embedded_told_classes = " told_classes + 0 ";"
    write_whole("families")
    write_whole("pipelines")
}
