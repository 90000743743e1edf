# What numel says of models, against what their own programs build.

.PHONY: truth sample caches partial identified trees printed prints packed reloaded layouts evidence forms adapters \
        components single products reworded loaders causes contradict neighbours corpus oracle figures claims seeds \
        learn mutants

truth: $(tools) ## fixtures/oracle: reconcile and formula against what transformers and llama.cpp say
	@$(B)/tool/truth -w $(B)/truth -l test/truth/nocase.txt -d test/truth/debts.txt fixtures/oracle
sample: $(tools) # of it, for make check
	@$(B)/tool/truth -w $(B)/sample fixtures/oracle hf-default/
caches: $(tools) ## fixtures/memory: cache lines against what transformers measurably keeps
	@$(B)/tool/caches -d test/truth/cache_debts.txt fixtures/memory
	@$(py) test/truth/cachelines.py test/truth/nocache.txt
partial: $(B)/numel ## fixtures/partial: configurations with parts left out, against what transformers builds of them
	@$(py) test/truth/partial.py
identified: $(B)/numel ## each model type of fixtures/oracle without config.json: how many are named rightly, and none as another
	@$(py) test/truth/identified.py
	@$(py) test/truth/identify.py
trees: $(B)/numel ## numel print of every class of transformers 5.23, by hashes of what it printed
	@$(py) test/truth/trees.py $(if $(UPDATE),-u)
printed: $(B)/numel ## numel print against what print(model) of transformers wrote
	@$(py) test/truth/printed.py
prints: $(B)/numel ## printouts, of transformers and as people paste them, against what they are of
	@$(py) test/truth/prints.py
packed: $(B)/numel ## fixtures/packed: what reconcile says of checkpoints that quantizers wrote
	@$(py) test/truth/packed/packed.py $(if $(UPDATE),-u)
reloaded: $(B)/numel ## what transformers counts and prints of such checkpoints once it has loaded them
	@$(py) test/truth/packed/reloaded.py $(if $(UPDATE),-u)
layouts: $(B)/numel ## the same checkpoints, altered: no layout may agree with them; one alteration of 3, EVERY=1: all
	@B=$(B) LAYOUT_EVERY=$(or $(EVERY),$(if $(filter-out release,$(MODE)),31,3)) PYTHONDONTWRITEBYTECODE=1 python3 test/truth/packed/layouts.py
evidence: $(B)/numel ## the same checkpoints, without configuration or data: the other witnesses must say as much
	@$(py) test/truth/packed/evidence.py
	@$(py) test/truth/packed/missing_keys.py
forms: $(B)/numel ## models of fixtures/oracle as today's writers cut them, and altered
	@$(py) test/truth/forms.py
adapters: $(B)/numel ## adapters as their writers make them, and each altered in small ways
	@$(py) test/truth/adapters.py $(B)/numel
components: $(B)/numel ## folders of several models, as diffusers and sentence-transformers wrote them, and altered
	@$(py) test/truth/components/components.py
	@$(py) test/truth/components/refused.py
	@$(py) test/truth/components/around.py
	@$(py) test/truth/components/components_quantized.py
	@$(py) test/truth/components/training.py
single: $(B)/numel ## one file that is several models, whole, quantized and altered; open_clip's folders
	@$(py) test/truth/components/single.py
	@$(py) test/truth/components/single_quantized.py
	@$(py) test/truth/components/single_gguf.py
	@$(py) test/truth/components/gguf_files.py
	@$(py) test/truth/components/towers.py
products: $(B)/numel ## src/data/products: its language, and that each id that it or a specification names is one
	@$(py) test/truth/products.py
reworded: $(B)/reworded/numel ## single files, their neighbours and adapters, with all that is shown of products called otherwise: no verdict changes
	@REWORDED=1 $(py_reworded) test/truth/components/single.py
	@$(py_reworded) test/truth/neighbours.py single
	@$(py) test/truth/adapters.py $(B)/reworded/numel
loaders: $(B)/numel ## what no loader would load, and healthy neighbours of it; A=-a: of many classes
	@$(py) test/truth/loaders.py $(A)
causes: $(B)/numel ## wrong configurations and files are told by the first cause; A=NAME: of one
	@$(py) test/truth/causes.py $(A)
contradict: $(B)/numel ## what all commands say of one file, right ones and altered ones; A=-a: of many
	@$(py) test/truth/contradict.py $(A)
neighbours: $(B)/numel ## what differs in one thing from a right case of each kind; A=-a: many of each
	@$(py) test/truth/neighbours.py $(A)
corpus: $(B)/numel $(tools) ## fixtures/ and, where present, the real files of NUMEL_SHARED
	@B=$(B) sh test/truth/corpus.sh
oracle: $(B)/numel ## of NUMEL_SHARED: the fixtures are made of it, and the command says the same of all of it
	@$(py) test/gen/oracle_fixtures.py -c
	@$(py) test/truth/oracle.py
# One layer of 64: its sizes lie so near each other that three digits tell none of them apart.
toys := fixtures/gptq-tiny/config.json
figures: $(B)/tool/figures ## false figures, of which numel explain must explain next to none
	@$(B)/tool/figures -n 12 -l 20 $(sort $(filter-out $(toys),$(wildcard fixtures/*/config.json test/truth/seeds/*.json)))
claims: $(B)/numel $(B)/tool/figures ## numbers made of the oracle's tensors, explained by numel explain
	@$(py) test/truth/claims.py
seeds: $(B)/numel ## every figure that the project grew from, as a golden transcript
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) $(sort $(wildcard test/truth/seeds/*.t))
learn: $(B)/numel ## src/data/learn, without transformers: stored samples become specifications that numel agrees with
	@$(py) test/truth/learn/run.py
mutants: $(tools) ## would a case notice each small mistake in a specification? CHANGED=1: of changed ones
	@B=$(B) CHANGED=$(CHANGED) sh test/truth/mutants.sh $(if $(UPDATE),-u)

# All that is shown of products called otherwise.
py_reworded = B=$(B)/reworded PYTHONDONTWRITEBYTECODE=1 python3
$(B)/reworded/embedded.c: $(B)/embedded.c test/truth/reworded.py
	$(Q)rm -rf $(@D)/src && python3 test/truth/reworded.py $(@D) $(specs)
	$(call say,GEN,$@)cd $(@D) && $(abspath $(B)/derive) $(specs) > $(@F)
$(B)/reworded/numel: $(call obj,$(cli_c)) $(B)/reworded/embedded.o $(B)/libnumel_all.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
