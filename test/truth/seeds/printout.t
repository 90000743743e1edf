# Figures 1 and 2: the printouts show LlamaModel(...), 6607.34M and 65023.52M. Those are base models: a causal
# model adds lm_head.

# 1. document: 6607.34M. Exact: 6,607,343,616; the causal model has 6,738,415,616.
$ numel formula test/truth/seeds/llama-1-7b-base.json
architecture  llama (by test/truth/seeds/llama-1-7b-base.json)

symbol   value  evidence   from
E        4,096  declared   hidden_size
L           32  declared   num_hidden_layers
H           32  declared   num_attention_heads
K           32  defaulted  num_attention_heads
D          128  defaulted  floor_div(E, H)
F       11,008  declared   intermediate_size
V       32,000  declared   vocab_size

role        formula         each  times          total   share
embed.tok   V*E      131,072,000      1    131,072,000   2.0 %
norm.attn   E              4,096     32        131,072   0.0 %
attn.q      H*D*E     16,777,216     32    536,870,912   8.1 %
attn.k      K*D*E     16,777,216     32    536,870,912   8.1 %
attn.v      K*D*E     16,777,216     32    536,870,912   8.1 %
attn.o      E*H*D     16,777,216     32    536,870,912   8.1 %
norm.mlp    E              4,096     32        131,072   0.0 %
mlp.gate    F*E       45,088,768     32  1,442,840,576  21.8 %
mlp.up      F*E       45,088,768     32  1,442,840,576  21.8 %
mlp.down    E*F       45,088,768     32  1,442,840,576  21.8 %
norm.final  E              4,096      1          4,096   0.0 %

expression  V*E + L*(2*E + 2*H*D*E + 2*K*D*E + 3*F*E) + E
total       6,607,343,616 (6.61 B)
tensors     290
buffers     0
cache       2*K*D per token, 32 layers: 524,288 bytes a token in f16
$ test $(numel formula -q test/truth/seeds/llama-1-7b-base.json) = 6607343616
# V*E + L*(4*E*E + 3*E*F + 2*E) + E = 131,072,000 + 32 * 202,383,360 + 4,096
$ test $(numel formula -q test/truth/seeds/llama-1-7b.json) = 6738415616
# + lm_head: V*E = 32,000 * 4,096 = 131,072,000
$ test $(numel formula -q test/truth/seeds/llama-1-7b-base.json --set architectures=LlamaForCausalLM) = 6738415616
# only the class differs
$ test $(numel formula -q --arch llama --set V=32000 --set E=4096 --set L=32 --set H=32 --set F=11008) = 6738415616
# no configuration either
$ test $(numel formula -q --arch llama --set V=32000 --set E=4096 --set L=32 --set H=32 --set F=11008 --set architectures=LlamaModel) = 6607343616

# 2. document: 65023.52M. Exact: 65,023,516,672; the causal model has 65,285,660,672.
$ test $(numel formula -q test/truth/seeds/llama-1-65b-base.json) = 65023516672
# V*E + L*(4*E*E + 3*E*F + 2*E) + E = 262,144,000 + 80 * 809,517,056 + 8,192
$ test $(numel formula -q test/truth/seeds/llama-1-65b.json) = 65285660672
# + lm_head: V*E = 32,000 * 8,192 = 262,144,000

# From headers alone: the same, and which tensors it is.
$ mkhead -q test/truth/seeds/llama-1-65b-base.txt $T/b && cp test/truth/seeds/llama-1-65b-base.json $T/b/config.json && cd $T && numel reconcile b | sed -n '/^cause/,/^agrees/p'
total                                                   722 tensors      65,023,516,672 elements      80,808 header     130,047,114,152 bytes
cause        tensors        elements
formula          722  65,023,516,672  llama, 722 tensors expected
stored           722  65,023,516,672
unexplained                        0

agrees: all expected tensors are present, and no others
# a base model's file has no lm_head, and its names have no `model.` prefix
$ cd $T && test $(numel -q b) = 65023516672
$ cp test/truth/seeds/llama-1-65b.json $T/b/config.json && cd $T && numel reconcile b | sed -n '/^cause/,$p'
cause        tensors        elements
formula          723  65,285,660,672  llama, 723 tensors expected
missing            1    -262,144,000  lm_head.weight
stored           722  65,023,516,672
unexplained                        0

disagrees: 1 missing, 0 of the wrong shape, 0 unexpected

parameters     65,023,516,672 (65.02 B)
non-embedding  64,761,372,672 (64.76 B)
active         65,023,516,672 (65.02 B)

cause  the names lack the prefix 'model.': the base class was saved, without the
       head ('lm_head.weight'); save the whole model; 1 follows from it
       (--no-truncate shows them)
# as a causal model it lacks 262,144,000: exactly the head
