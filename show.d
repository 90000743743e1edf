show.o: src/reporter/show.c src/reporter/components_words.h \
  src/subject/subject.h src/components/components.h src/base/json_doc.h \
  src/base/memory.h src/base/error.h include/numel.h \
  src/components/single.h src/components/single_table.h \
  src/registry/registry.h src/base/names.h src/registry/patterns.h \
  src/statement/handle.h src/formula/terms.h src/formula/expand.h \
  src/formula/poly.h src/base/buffer.h src/formula/walk.h \
  src/formula/eval.h src/formula/config.h src/formula/spec.h \
  src/base/text.h src/base/fixed.h src/base/num.h src/formula/value.h \
  src/registry/metadata.h src/formula/witness.h src/model/roles.h \
  src/model/model.h src/formula/library.h src/model/counts.h \
  src/model/differences.h src/model/cause.h src/model/file_kind.h \
  src/reader/checkpoint.h src/reader/find.h src/reader/shard_index.h \
  src/base/json_scan.h src/reader/reader.h src/registry/dtype.h \
  src/registry/finding.h src/reader/recognise.h src/source/source.h \
  src/model/tensor.h src/formula/layout.h src/statement/statement.h \
  src/statement/line.h src/statement/tied.h src/statement/unchecked.h \
  src/reporter/show.h src/adapter/adapter.h src/model/meanings.h \
  src/model/meaning.h src/subject/judgement.h src/page/report.h \
  src/page/checks.h src/reporter/groups.h src/registry/fold.h \
  src/reporter/mixture_section.h src/registry/mixture.h \
  src/registry/file_type.h src/reporter/quantization.h \
  src/model/packing.h src/base/border.h src/reporter/expect.h \
  src/base/number.h src/reporter/handles.h \
  src/reporter/judgement_section.h src/reporter/sections.h \
  src/model/unknown.h src/counters/others.h src/counters/hub_size.h \
  src/counters/others_codes.h src/verify/hash.h src/content/plan.h \
  src/content/hashes.h src/content/digest.h src/source/stream.h \
  src/verify/hash_sources.h src/reader/published.h \
  src/verify/hash_lists.h src/content/manifest.h src/verify/verify.h \
  src/verify/values.h src/content/values.h src/content/scan.h \
  src/source/folder.h

src/reporter/components_words.h:

src/subject/subject.h:

src/components/components.h:

src/base/json_doc.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/components/single.h:

src/components/single_table.h:

src/registry/registry.h:

src/base/names.h:

src/registry/patterns.h:

src/statement/handle.h:

src/formula/terms.h:

src/formula/expand.h:

src/formula/poly.h:

src/base/buffer.h:

src/formula/walk.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/base/text.h:

src/base/fixed.h:

src/base/num.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/model/roles.h:

src/model/model.h:

src/formula/library.h:

src/model/counts.h:

src/model/differences.h:

src/model/cause.h:

src/model/file_kind.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/reader/recognise.h:

src/source/source.h:

src/model/tensor.h:

src/formula/layout.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/reporter/show.h:

src/adapter/adapter.h:

src/model/meanings.h:

src/model/meaning.h:

src/subject/judgement.h:

src/page/report.h:

src/page/checks.h:

src/reporter/groups.h:

src/registry/fold.h:

src/reporter/mixture_section.h:

src/registry/mixture.h:

src/registry/file_type.h:

src/reporter/quantization.h:

src/model/packing.h:

src/base/border.h:

src/reporter/expect.h:

src/base/number.h:

src/reporter/handles.h:

src/reporter/judgement_section.h:

src/reporter/sections.h:

src/model/unknown.h:

src/counters/others.h:

src/counters/hub_size.h:

src/counters/others_codes.h:

src/verify/hash.h:

src/content/plan.h:

src/content/hashes.h:

src/content/digest.h:

src/source/stream.h:

src/verify/hash_sources.h:

src/reader/published.h:

src/verify/hash_lists.h:

src/content/manifest.h:

src/verify/verify.h:

src/verify/values.h:

src/content/values.h:

src/content/scan.h:

src/source/folder.h:
