# --fit takes the name of a card. 24,564 MiB are 23.99 GiB; where only the marketed size is known, 16 GB are 16 x 10^9
# bytes, 14.9 GiB.
$ numel memory --fit rtx4090 fixtures/llama-3.1-8b | grep -i fit
fits         no; up to a context of 73,432
$ for n in 'RTX 4090' 'NVIDIA GeForce RTX 4090' rtx_4090; do numel memory --fit "$n" fixtures/llama-3.1-8b | grep -i fit; done
fits         no; up to a context of 73,432
fits         no; up to a context of 73,432
fits         no; up to a context of 73,432
$ numel memory --fit rtx4080 fixtures/llama-3.1-8b | grep -i fit
fits         no: the weights alone take more
$ numel list --fit h100 --columns name,fits fixtures/llama-3.1-8b fixtures/mixtral-8x7b
name                   fits
fixtures/llama-3.1-8b  yes
fixtures/mixtral-8x7b  no

total  2 checkpoints, 23 files, 101.9 GiB (18.2 KiB on disk), 54.73 B parameters
# a name that several cards have, and unknown ones
$ numel list --fit a100 fixtures/gpt2
numel list: --fit: no card 'a100' is known; did you mean a100-80, a100-40?
[2]
$ numel list --fit voodoo2 fixtures/gpt2
numel list: --fit: no card 'voodoo2' is known; give its memory, like 24GiB
[2]
$ numel list --fit 4090 fixtures/gpt2
numel list: --fit 4090 is 4090 bytes: give it a unit, like 24GiB or 500MB
[2]
$ numel memory --fit '' fixtures/gpt2
numel memory: --fit takes at least 1048576 bytes, like 100000000, 100MB or 1GiB, not ''
[2]
# auto: nvidia-smi; of several cards the largest; one that shares the main memory has no size
$ mkdir $T/bin; printf '#!/bin/sh\necho "16380, NVIDIA GeForce RTX 4060 Ti"\necho "24564, NVIDIA GeForce RTX 4090"\necho "[N/A], NVIDIA GB10"\n' >$T/bin/nvidia-smi; chmod +x $T/bin/nvidia-smi; PATH=$T/bin:$PATH numel list --fit auto --columns name,fits fixtures/llama-3.1-8b
numel list: --fit auto: NVIDIA GeForce RTX 4090, 24564 MiB, the largest of several cards
name          fits
llama-3.1-8b  up to 73k

total  1 checkpoint, 4 files, 14.9 GiB (3.3 KiB on disk), 8.03 B parameters
# it fails, or answers nonsense: the files of the system, here a tree of ours. NVIDIA: the name, of which the table has the size
$ mkdir -p $T/bin $T/sys/proc/driver/nvidia/gpus/0000:01:00.0 $T/sys/proc/driver/nvidia/gpus/0000:02:00.0; printf '#!/bin/sh\nexit 9\n' >$T/bin/nvidia-smi; chmod +x $T/bin/nvidia-smi; printf 'Model: \t\t NVIDIA GeForce RTX 3060\nIRQ:   1\n' >$T/sys/proc/driver/nvidia/gpus/0000:01:00.0/information; printf 'Model: \t\t NVIDIA GeForce RTX 3090\n' >$T/sys/proc/driver/nvidia/gpus/0000:02:00.0/information; PATH=$T/bin:$PATH NUMEL_SYSTEM_ROOT=$T/sys numel list --fit auto --columns name,fits fixtures/llama-3.1-8b
numel list: --fit auto: NVIDIA GeForce RTX 3090, 24576 MiB
name          fits
llama-3.1-8b  up to 73k

total  1 checkpoint, 4 files, 14.9 GiB (3.3 KiB on disk), 8.03 B parameters
# AMD: its bytes
$ rm -r $T/sys; mkdir -p $T/bin $T/sys/sys/class/drm/card0/device $T/sys/sys/class/drm/card1; printf '#!/bin/sh\necho hello\necho -5, x\n' >$T/bin/nvidia-smi; chmod +x $T/bin/nvidia-smi; echo 17163091968 >$T/sys/sys/class/drm/card0/device/mem_info_vram_total; PATH=$T/bin:$PATH NUMEL_SYSTEM_ROOT=$T/sys numel list --fit auto --columns name,fits fixtures/llama-3.1-8b
numel list: --fit auto: an AMD card, 16368 MiB
name          fits
llama-3.1-8b  up to 7k

total  1 checkpoint, 4 files, 14.9 GiB (3.3 KiB on disk), 8.03 B parameters
# no card: the main memory, as it says; nothing at all
$ rm -r $T/sys; mkdir -p $T/bin $T/sys/proc; printf '#!/bin/sh\nexit 1\n' >$T/bin/nvidia-smi; chmod +x $T/bin/nvidia-smi; printf 'MemTotal:       65752376 kB\nMemFree: 1 kB\n' >$T/sys/proc/meminfo; PATH=$T/bin:$PATH NUMEL_SYSTEM_ROOT=$T/sys numel list --fit auto --columns name,fits fixtures/llama-3.1-8b; rm -r $T/sys; mkdir $T/sys; PATH=$T/bin:$PATH NUMEL_SYSTEM_ROOT=$T/sys numel list --fit auto fixtures/gpt2
numel list: --fit auto: no card found: main memory, 64211 MiB
name          fits
llama-3.1-8b  yes

total  1 checkpoint, 4 files, 14.9 GiB (3.3 KiB on disk), 8.03 B parameters
numel list: --fit auto: the system does not tell the size of its memory; give it, like --fit 24GiB
[2]
