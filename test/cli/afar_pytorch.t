# Files of PyTorch that lie elsewhere: of a zip the directory at its end is read, and the pickle that it names; of the
# old format the front. Tensors, types, shapes and places are those of the same file on this disk.
$ for h in fixtures/good/pytorch/*.hex; do n=$(basename $h .hex); mkdir -p $T/hub/pt/$n; hex $h >$T/hub/pt/$n/pytorch_model.bin; numel tensors hf://pt/$n >$T/1 2>/dev/null; (cd $T/hub; numel tensors pt/$n) >$T/2; cmp $T/1 $T/2 || echo $n; done
$ python3 test/cli/remote/layouts.py $T/hub large; cd $T; numel tensors hf://org/large >1 2>log; cd hub; numel tensors org/large | cmp - ../1; cat ../log
numel: 937665 bytes fetched in 6 requests
# not more than these ranges: the front, the end, the directory, what follows the pickle, the pickle
$ STAND_IN_LOG=$T/log numel -q hf://org/large; sed -n 's/.*read \([0-9]* [0-9]* [0-9]*\) .*/\1/p' $T/log
18000
2 0 65536
3 1059567 65557
4 937026 188076
5 552876 65536
6 64 552812
# a file that is cut
$ mkdir -p $T/hub/org/cut; head -c -4 $T/hub/pt/legacy/pytorch_model.bin >$T/hub/org/cut/pytorch_model.bin; numel verify hf://org/cut 2>/dev/null | grep -A 1 ^error; head -c 600 $T/hub/pt/zip/pytorch_model.bin >$T/hub/org/cut/pytorch_model.bin; numel -q hf://org/cut
error  data-missing  pytorch_model.bin:490: 4 bytes short: tensor 'a.bias' ends
                     at 494, the file at 490
numel: hf://org/cut/pytorch_model.bin:600: the zip archive is truncated: its directory is missing
[3]
# next to safetensors none of it is read, unless it is named
$ cp -r $T/hub/pt/zip $T/hub/org/both; python3 test/support/st.py $T/hub/org/both/model.safetensors w:F32:4x4:1; STAND_IN_LOG=$T/log2 numel -q hf://org/both; grep -c bin $T/log2; numel -q hf://org/both/pytorch_model.bin
16
0
8
