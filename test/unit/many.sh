#!/bin/sh
# many.sh DIR COUNT -- COUNT made-up specifications in DIR, for a library that is larger than ours: the index is held
# against them as against ours (test/unit/test_library.c), and starting is measured with them.
set -e
mkdir -p "$1"
awk -v dir="$1" -v count="$2" 'BEGIN {
    for (i = 1; i <= count; i++) {
        path = dir "/made_" i ".spec"
        printf "# Made up.\narch made_%d\n", i > path
        printf "match hf   model_type in made_%d also-%d # one more\n", i, i > path
        printf "match hf   architectures in Made%dForCausalLM\n", i > path
        if (i % 3 == 0) printf "match hf   _class_name in Made%dTransformer2DModel\n", i > path
        printf "match gguf general.architecture in made%d\n", i > path
        print "use decoder_symbols" > path
        printf "emb embed.tok model.embed_tokens_%d token_embd V E\n", i > path
        print "norm norm.final model.norm output_norm E\nuse decoder_head\nuse rope_factors" > path
        print "\nprint\nuse decoder_names\n. {cls}\n match_ Linear\n model {P}Model root=base\nend print" > path
        close(path)
    }
}'
