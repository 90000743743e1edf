reconcile_report.o: src/reporter/reconcile_report.c src/model/unknown.h \
  src/formula/config.h src/formula/spec.h src/base/json_doc.h \
  src/base/memory.h src/base/error.h include/numel.h src/base/text.h \
  src/base/buffer.h src/base/fixed.h src/base/num.h src/formula/value.h \
  src/registry/metadata.h src/formula/terms.h src/formula/expand.h \
  src/formula/poly.h src/formula/walk.h src/formula/eval.h \
  src/formula/witness.h src/reader/checkpoint.h src/reader/find.h \
  src/reader/shard_index.h src/base/json_scan.h src/base/names.h \
  src/reader/reader.h src/registry/dtype.h src/registry/finding.h \
  src/registry/registry.h src/registry/patterns.h src/reader/recognise.h \
  src/source/source.h src/reporter/components_words.h \
  src/subject/subject.h src/components/components.h \
  src/components/single.h src/components/single_table.h \
  src/statement/handle.h src/model/roles.h src/model/model.h \
  src/formula/library.h src/model/counts.h src/model/differences.h \
  src/model/cause.h src/model/file_kind.h src/model/tensor.h \
  src/formula/layout.h src/statement/statement.h src/statement/line.h \
  src/statement/tied.h src/statement/unchecked.h src/reporter/handles.h \
  src/adapter/adapter.h src/model/meanings.h src/model/meaning.h \
  src/page/report.h src/page/checks.h src/reporter/groups.h \
  src/registry/fold.h src/subject/judgement.h src/reporter/lines.h \
  src/reporter/mixture_section.h src/registry/mixture.h \
  src/registry/file_type.h src/reporter/quantization.h \
  src/model/packing.h src/reporter/reconcile_causes.h \
  src/subject/change.h src/reporter/sections.h src/counters/others.h \
  src/counters/hub_size.h src/counters/others_codes.h src/verify/hash.h \
  src/content/plan.h src/content/hashes.h src/content/digest.h \
  src/source/stream.h src/verify/hash_sources.h src/reader/published.h \
  src/verify/hash_lists.h src/content/manifest.h src/verify/verify.h \
  src/verify/values.h src/content/values.h src/content/scan.h \
  src/base/border.h src/reporter/judgement_section.h

src/model/unknown.h:

src/formula/config.h:

src/formula/spec.h:

src/base/json_doc.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/base/num.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/terms.h:

src/formula/expand.h:

src/formula/poly.h:

src/formula/walk.h:

src/formula/eval.h:

src/formula/witness.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/base/names.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/registry/registry.h:

src/registry/patterns.h:

src/reader/recognise.h:

src/source/source.h:

src/reporter/components_words.h:

src/subject/subject.h:

src/components/components.h:

src/components/single.h:

src/components/single_table.h:

src/statement/handle.h:

src/model/roles.h:

src/model/model.h:

src/formula/library.h:

src/model/counts.h:

src/model/differences.h:

src/model/cause.h:

src/model/file_kind.h:

src/model/tensor.h:

src/formula/layout.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/reporter/handles.h:

src/adapter/adapter.h:

src/model/meanings.h:

src/model/meaning.h:

src/page/report.h:

src/page/checks.h:

src/reporter/groups.h:

src/registry/fold.h:

src/subject/judgement.h:

src/reporter/lines.h:

src/reporter/mixture_section.h:

src/registry/mixture.h:

src/registry/file_type.h:

src/reporter/quantization.h:

src/model/packing.h:

src/reporter/reconcile_causes.h:

src/subject/change.h:

src/reporter/sections.h:

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

src/base/border.h:

src/reporter/judgement_section.h:
