# Padding rows at the end of a table, which the class cuts off: 12 * 4 = 48 elements are stored, 8 * 4 = 32 are
# parameters.
$ printf '%s\n' 'file model.safetensors' 'tensor head.weight F16 12 4' >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; echo '{"model_type":"padded","vocab_size":8,"padded_size":12}' >$T/m/config.json; S=$PWD; cd $T && numel reconcile --spec $S/test/cli/causes/padded.spec m | sed -n '/^cause/,$p'
cause            tensors  elements
formula                1        32  padded, 1 tensor expected
rows of padding        1       +16  head.weight
stored                 1        48
unexplained                      0

agrees: all expected tensors are present, and no others

parameters     32
non-embedding  32
active         32
# Neighbours: the class's own number of rows; another number.
$ printf '%s\n' 'file model.safetensors' 'tensor head.weight F16 8 4' >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; echo '{"model_type":"padded","vocab_size":8,"padded_size":12}' >$T/m/config.json; S=$PWD; cd $T && numel reconcile --spec $S/test/cli/causes/padded.spec m | grep agrees
agrees: all expected tensors are present, and no others
$ printf '%s\n' 'file model.safetensors' 'tensor head.weight F16 11 4' >$T/m.txt; mkhead -q $T/m.txt $T/m >$T/made; echo '{"model_type":"padded","vocab_size":8,"padded_size":12}' >$T/m/config.json; S=$PWD; cd $T && numel reconcile --spec $S/test/cli/causes/padded.spec m | grep agrees
disagrees: 0 missing, 1 of the wrong shape, 0 unexpected
