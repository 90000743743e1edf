#!/bin/sh
# fits.sh DIR TYPE... -- a size that memory reports as fitting does fit, and one more token or sequence does not:
# for small models of these types, under every runtime's rules. There is room for 5,000 tokens of 3 sequences and
# 1,000,000 bytes. Prints violations, and the number that hold.
dir=$1
shift

# status RUNTIME ROOM CONTEXT BATCH
status() {
    numel memory "$dir/fits.json" --runtime "$1" --fit "$2" --context "$3" --batch "$4" -q > "$dir/fits.out"
    echo $?
}

for type; do
    printf '{"model_type":"%s","num_hidden_layers":8,"dtype":"bfloat16"}' "$type" > "$dir/fits.json"
    for runtime in transformers llama.cpp vllm; do
        asked="$dir/fits.json --runtime $runtime --context 5000 --batch 3"
        room=$(($(numel memory $asked -q) + 1000000))
        most=$(numel memory $asked --fit $room --json | grep -oE '"max_(context|batch)":[0-9]+' | cut -d: -f2)
        context=${most%%[!0-9]*} batch=${most##*[!0-9]}
        echo "$type $runtime $context $batch:" \
            $(status $runtime $room "$context" 3)$(status $runtime $room $((context + 1)) 3) \
            $(status $runtime $room 5000 "$batch")$(status $runtime $room 5000 $((batch + 1)))
    done
done > "$dir/fits.txt"
grep -v ': 01 01$' "$dir/fits.txt"
grep -c ': 01 01$' "$dir/fits.txt"
