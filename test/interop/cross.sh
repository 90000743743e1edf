#!/bin/sh
# cross.sh MACHINE [WORD...] -- numel built for another machine by a cross compiler, and its tests, run by qemu-user.
#
#     sh test/interop/cross.sh aarch64                everything below
#     sh test/interop/cross.sh s390x unit golden      a big-endian machine, only these
#     U="source values" sh test/interop/cross.sh s390x unit     and of the units these
#
# Words: unit (test programs, and fixtures through the readers' fuzz targets), golden (transcripts and the console
# blocks of the documents), corpus, packed. Needs Debian's gcc-MACHINE-linux-gnu and qemu-user; libraries for that
# machine are downloaded and unpacked under build/, nothing is installed. Scripts in build/MACHINE/run call qemu,
# so the kernel need not support foreign programs. The last line says ok or what failed.
#
# KNOWN lists failures caused by the emulator, not by numel: an entry that passes is an error, so that it gets
# removed.
set -u
cd "$(dirname "$0")/../.." || exit 2
machine=${1:?which machine: aarch64, s390x}; shift
[ $# -gt 0 ] || set -- unit golden corpus packed
case $machine in aarch64) debian=arm64 ;; *) debian=$machine ;; esac
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
B=$PWD/build/$machine root=$PWD/build/$machine/root run=$PWD/build/$machine/run
packages='libc6 libgcc-s1 libcjson1 libcjson-dev libzstd1 libzstd-dev libssl3 libssl-dev libcmocka0 libcmocka-dev'

# qemu 7.2 reports the address of a SIGBUS to s390x with its halves swapped: no guard matches it.
KNOWN='s390x test_source test_shrinks_while_read
s390x test_source test_nests'
# A sample of tests that would take hours at this speed: only some allocations fail, and nothing in NUMEL_SHARED is
# used.
NUMEL_EVERY=${NUMEL_EVERY:-101} NUMEL_SHARED=none
export NUMEL_EVERY NUMEL_SHARED

die() { echo "cross: $machine: $*"; exit 2; }
for tool in "$machine-linux-gnu-gcc" "qemu-$machine"; do
    command -v "$tool" >/dev/null || die "$tool is not here"
done

# The libraries, through an apt with its own lists and state: this machine's are unchanged.
libraries() {
    [ -e "$root/.done" ] && return
    apt=$B/apt
    rm -rf "$root" "$apt"
    mkdir -p "$root" "$apt/lists/partial" "$apt/archives/partial" "$apt/sources" || return 1
    : >"$apt/status"
    # The source of this machine's own Debian packages.
    for f in /etc/apt/sources.list /etc/apt/sources.list.d/debian*; do [ ! -s "$f" ] || cp "$f" "$apt/sources"; done
    set -- -qq -o "APT::Architecture=$debian" -o "APT::Architectures::=$debian" -o "Dir::State=$apt" \
        -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" \
        -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources" -o APT::Sandbox::User=root
    apt-get "$@" update || return 1
    # shellcheck disable=SC2086
    (cd "$apt/archives" && apt-get "$@" download $packages) || return 1
    for p in "$apt"/archives/*.deb; do dpkg -x "$p" "$root" || return 1; done
    touch "$root/.done"
}

build() {
    include=$root/usr/include
    make -j"$jobs" -s PKG_CONFIG=false B="$B" CC="${CCACHE:-} $machine-linux-gnu-gcc" AR="$machine-linux-gnu-ar" \
        NM="$machine-linux-gnu-nm" OBJCOPY="$machine-linux-gnu-objcopy" WERROR=1 \
        CPPFLAGS="-isystem $include -isystem $include/$machine-linux-gnu" LDFLAGS="-L$root/usr/lib/$machine-linux-gnu" \
        all programs
}

# Makes each program in build/MACHINE runnable on this machine.
wrap() {
    rm -rf "$run"
    for p in numel $(cd "$B" && find tool unit fuzz -type f -perm -u+x ! -name '*.[od]'); do
        mkdir -p "$(dirname "$run/$p")"
        printf '#!/bin/sh\nexec qemu-%s -L %s %s "$@"\n' "$machine" "$root" "$B/$p" >"$run/$p"
        chmod +x "$run/$p"
    done
}

known() { echo "$KNOWN" | awk -v m="$machine" -v u="$1" '$1 == m && $2 == u { print $3 }' | sort; }

unit_one() {
    name=$(basename "$1")
    begin=$(date +%s)
    "$1" >"$run/$name.out" 2>&1
    status=$?
    echo "$name: $(($(date +%s) - begin)) s"
    sed -n 's/^\[  FAILED  \] \(test_[a-z_0-9]*\)$/\1/p' "$run/$name.out" | sort -u >"$run/$name.failed"
    if [ "$(known "$name")" != "$(cat "$run/$name.failed")" ]; then
        tail -20 "$run/$name.out"
        echo "cross: $name: failed: $(tr '\n' ' ' <"$run/$name.failed"); known: $(known "$name" | tr '\n' ' ')"
        return 1
    fi
    [ $status -eq 0 ] || [ -s "$run/$name.failed" ] || { tail -20 "$run/$name.out"; return 1; }
}

unit() {
    bad=
    for t in ${U:-$(cd "$run/unit" && ls test_* | sed 's/^test_//')}; do
        t=$run/unit/test_$t
        unit_one "$t" || bad="$bad ${t##*/}"
    done
    for t in safetensors gguf json; do
        t=$run/fuzz/replay_$t
        "$t" fixtures/*/*/*.hex >/dev/null || bad="$bad ${t##*/}"
    done
    [ -z "$bad" ] || echo "cross: failed:$bad"
    [ -z "$bad" ]
}
golden() { B=$run sh test/cli/transcript.sh test/cli/*.t README.md docs/*.md docs/guide/*.md; }
corpus() { B=$run sh test/truth/corpus.sh; }
packed() { B=$run PYTHONDONTWRITEBYTECODE=1 python3 test/truth/packed/packed.py; }

libraries || die "no libraries"
build || die "does not build"
wrap
failed=
for word; do
    case $word in
    unit | golden | corpus | packed)
        begin=$(date +%s)
        "$word" >"$B/$word.txt" 2>&1 || { failed="$failed $word"; grep -v '^ok ' "$B/$word.txt" | tail -60; }
        echo "cross: $machine: $word: $(($(date +%s) - begin)) s: $(tail -1 "$B/$word.txt")" ;;
    *) die "what is $word?" ;;
    esac
done
[ -z "$failed" ] && echo "cross: $machine: ok" && exit 0
echo "cross: $machine: failed:$failed"
exit 1
