/* header.cc -- numel.h in C++: it compiles as C++11 without a warning, links, and NUMEL_INIT sets the size. */
#include <numel.h>

static bool discard(void *, const void *, size_t) { return true; }

int main()
{
    numel_view view = NUMEL_INIT(numel_view);
    numel_knowledge knowledge = NUMEL_INIT(numel_knowledge);
    numel_counts counts = NUMEL_INIT(numel_counts);
    numel_subject *model = nullptr;
    numel_report *report = nullptr;
    const char *sets[] = { "E=64", "L=2", "H=4", "F=128", "V=100" };
    if (view.size != sizeof view || view.all || view.match) return 1;
    knowledge.architecture = "llama";
    knowledge.sets = sets;
    knowledge.set_count = 5;
    if (numel_subject_open(&model, nullptr, &knowledge, nullptr, nullptr) != NUMEL_OK) return 2;
    if (numel_subject_judge(model, nullptr, nullptr) != NUMEL_OK) return 3;
    if (numel_subject_counts(model, &counts, nullptr) != NUMEL_OK) return 3;
    if (counts.parameters == 0 || counts.stored != NUMEL_NOT_KNOWN) return 4;
    if (numel_report_formula(&report, model, nullptr) != NUMEL_OK) return 5;
    if (numel_report_write(report, nullptr, discard, nullptr, nullptr) != NUMEL_OK) return 6;
    numel_report_free(report);
    numel_subject_close(model);
    return 0;
}
