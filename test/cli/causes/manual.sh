# manual.sh -- names of layouts that numel(5) has no line for: lacking [OPTIONS of numel spec layouts].
lacking() {
    sed -n '/^\.Sh LAYOUTS/,/^\.El/s/^\.It Li \([^ ]*\)$/\1/p' docs/numel.5 >"$T/lines"
    numel spec layouts --json "$@" | sed -n 's/.*{"name":"\([^"]*\)".*/\1/p' | grep -vxFf "$T/lines"
}
