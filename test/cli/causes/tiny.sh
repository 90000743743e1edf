# tiny.sh -- the model of tiny.spec; see build.sh.
. test/cli/causes/build.sh
cp test/cli/causes/tiny.spec "$T/tiny.spec"
tiny_spec=tiny.spec
config='"model_type":"tiny","hidden_size":8,"vocab_size":4'

tiny() {
    printf '%s\n' 'file model.safetensors' 'tensor embed.weight F16 4 8' 'tensor up.weight F16 8 8' \
        'tensor mean F32 8' 'tensor seen I64' 'tensor next.weight F16 2 8' 'tensor head.weight F16 4 8'
}

reconcile_tiny() { k=${1-}; reconcile "$k" --spec "$tiny_spec"; }

# What numel reports about it, and the verdict in a word.
say() { reconcile_tiny "$@" | grep -vE '^(cause|stored|unexplained|formula|parameters) '; }
