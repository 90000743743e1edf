/*
 * training_words.c -- see training_words.h: the states of torch's optimizers (2.15), of bitsandbytes, transformers, timm and those
 * that libraries of optimizers copy from papers.
 */
#include "model/training_words.h"

#include "base/text.h"

#include <string.h>

static const struct training_word words[] = {
    { "exp_avg", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_avg_sq", TRAINING_MOMENT, FORM_SAME, false },
    { "max_exp_avg_sq", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_avg_diff", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_avg_var", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_avg_fast", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_avg_slow", TRAINING_MOMENT, FORM_SAME, false },
    { "exp_inf", TRAINING_MOMENT, FORM_SAME, false },
    { "momentum_buffer", TRAINING_MOMENT, FORM_SAME, false },
    { "square_avg", TRAINING_MOMENT, FORM_SAME, false },
    { "grad_avg", TRAINING_MOMENT, FORM_SAME, false },
    { "acc_delta", TRAINING_MOMENT, FORM_SAME, false },
    { "pre_grad", TRAINING_MOMENT, FORM_SAME, false },
    { "fp32", TRAINING_MOMENT, FORM_SAME, false },
    { "fp32_param", TRAINING_MOMENT, FORM_SAME, true },
    { "fp32_from_fp16", TRAINING_MOMENT, FORM_SAME, true },
    { "master_param", TRAINING_MOMENT, FORM_SAME, false },
    { "master_weight", TRAINING_MOMENT, FORM_SAME, false },
    { "sum", TRAINING_MOMENT, FORM_SAME, true },
    { "ax", TRAINING_MOMENT, FORM_SAME, true },
    { "prev", TRAINING_MOMENT, FORM_SAME, true },
    { "step_size", TRAINING_MOMENT, FORM_SAME, true },
    { "variance", TRAINING_MOMENT, FORM_SAME, true },
    { "momentum", TRAINING_MOMENT, FORM_SAME, true },
    { "hessian", TRAINING_MOMENT, FORM_SAME, true },
    { "row_var", TRAINING_MOMENT, FORM_ROWS_KEPT, true },
    { "col_var", TRAINING_MOMENT, FORM_COLUMNS_KEPT, true },
    { "exp_avg_sq_row", TRAINING_MOMENT, FORM_ROWS, false },
    { "exp_avg_sq_col", TRAINING_MOMENT, FORM_COLUMNS, false },
    { "exp_avg_res_row", TRAINING_MOMENT, FORM_ROWS, false },
    { "exp_avg_res_col", TRAINING_MOMENT, FORM_COLUMNS, false },
    { "state1", TRAINING_MOMENT, FORM_BYTES, false },
    { "state2", TRAINING_MOMENT, FORM_BYTES, false },
    { "absmax1", TRAINING_MOMENT, FORM_BLOCKS, false },
    { "absmax2", TRAINING_MOMENT, FORM_BLOCKS, false },
    { "qmap1", TRAINING_MOMENT, FORM_CODES, false },
    { "qmap2", TRAINING_MOMENT, FORM_CODES, false },
    { "step", TRAINING_STEP, FORM_ONE, false },
    { "global_step", TRAINING_STEP, FORM_ONE, false },
    { "num_updates", TRAINING_STEP, FORM_ONE, false },
    { "n_averaged", TRAINING_STEP, FORM_ONE, false },
    { "optimization_step", TRAINING_STEP, FORM_ONE, false },
    { "initted", TRAINING_STEP, FORM_ONE, false },
    { "decay", TRAINING_STEP, FORM_FACTOR, false },
    { "lr", TRAINING_STEP, FORM_FACTOR, false },
    { "epoch", TRAINING_STEP, FORM_ONE, false },
    { "RMS", TRAINING_STEP, FORM_FACTOR, false },
    { "mu_product", TRAINING_STEP, FORM_FACTOR, true },
    { "mu", TRAINING_STEP, FORM_FACTOR, true },
    { "eta", TRAINING_STEP, FORM_FACTOR, true },
};

unsigned training_word_of(numel_str part, bool inside)
{
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if ((inside || !words[i].inside) && text_equal(part, words[i].name)) return i;
    return UINT32_MAX;
}

const struct training_word *training_word(unsigned i) { return &words[i]; }

bool training_averages(unsigned i)
{
    return i < sizeof words / sizeof *words && strcmp(words[i].name, "n_averaged") == 0;
}
