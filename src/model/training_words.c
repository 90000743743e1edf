/*
 * training_words.c -- see training_words.h: the states of the optimizers of torch (2.15), bitsandbytes,
 * transformers and timm, and of those that optimizer libraries adopt from papers.
 */
#include "model/training_words.h"

#include "base/text.h"

#include <string.h>

static const struct training_word words[] = {
    { "exp_avg", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_avg_sq", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "max_exp_avg_sq", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_avg_diff", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_avg_var", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_avg_fast", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_avg_slow", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "exp_inf", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "momentum_buffer", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "square_avg", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "grad_avg", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "acc_delta", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "pre_grad", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "neg_pre_grad", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "last_grad", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "grad_sum_sq", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "slow_buffer", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "exp_hessian_diag_sq", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "z", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "s", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "x0", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "p0", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "fp32", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "fp32_param", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "fp32_from_fp16", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "master_param", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "master_weight", TRAINING_MOMENT, FORM_SAME, false, { NULL } },
    { "sum", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "ax", TRAINING_MOMENT, FORM_SAME, true, { "eta", "mu" } },
    { "prev", TRAINING_MOMENT, FORM_SAME, true, { "step_size" } },
    { "step_size", TRAINING_MOMENT, FORM_SAME, true, { "prev" } },
    { "variance", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "momentum", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "hessian", TRAINING_MOMENT, FORM_SAME, true, { NULL } },
    { "row_var", TRAINING_MOMENT, FORM_ROWS_KEPT, true, { "col_var" } },
    { "col_var", TRAINING_MOMENT, FORM_COLUMNS_KEPT, true, { "row_var" } },
    { "exp_avg_sq_row", TRAINING_MOMENT, FORM_ROWS, false, { "exp_avg_sq_col" } },
    { "exp_avg_sq_col", TRAINING_MOMENT, FORM_COLUMNS, false, { "exp_avg_sq_row" } },
    { "exp_avg_res_row", TRAINING_MOMENT, FORM_ROWS, false, { "exp_avg_res_col" } },
    { "exp_avg_res_col", TRAINING_MOMENT, FORM_COLUMNS, false, { "exp_avg_res_row" } },
    { "exp_avg_sq_r", TRAINING_MOMENT, FORM_MEANS, false, { "exp_avg_sq_c" } },
    { "exp_avg_sq_c", TRAINING_MOMENT, FORM_MEANS, false, { "exp_avg_sq_r" } },
    { "state1", TRAINING_MOMENT, FORM_BYTES, false, { NULL } },
    { "state2", TRAINING_MOMENT, FORM_BYTES, false, { NULL } },
    { "absmax1", TRAINING_MOMENT, FORM_BLOCKS, false, { "state1", "qmap1" } },
    { "absmax2", TRAINING_MOMENT, FORM_BLOCKS, false, { "state2", "qmap2" } },
    { "qmap1", TRAINING_MOMENT, FORM_CODES, false, { "absmax1" } },
    { "qmap2", TRAINING_MOMENT, FORM_CODES, false, { "absmax2" } },
    { "step", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "global_step", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "num_updates", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "n_averaged", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "optimization_step", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "initted", TRAINING_STEP, FORM_FLAG, false, { NULL } },
    { "param_groups", TRAINING_STEP, FORM_SETTING, true, { NULL } },
    { "decay", TRAINING_STEP, FORM_FACTOR, false, { NULL } },
    { "lr", TRAINING_STEP, FORM_FACTOR, false, { NULL } },
    { "epoch", TRAINING_STEP, FORM_ONE, false, { NULL } },
    { "RMS", TRAINING_STEP, FORM_FACTOR, false, { NULL } },
    { "mu_product", TRAINING_STEP, FORM_FACTOR, true, { NULL } },
    { "mu", TRAINING_STEP, FORM_FACTOR, true, { "ax" } },
    { "eta", TRAINING_STEP, FORM_FACTOR, true, { "ax" } },
    { "exp_avg_lr_1", TRAINING_STEP, FORM_FACTOR, true, { NULL } },
    { "exp_avg_lr_2", TRAINING_STEP, FORM_FACTOR, true, { NULL } },
    { "m_schedule", TRAINING_STEP, FORM_FACTOR, true, { NULL } },
    { "update_counter", TRAINING_STEP, FORM_ONE, true, { NULL } },
    { "use_muon", TRAINING_STEP, FORM_FLAG, true, { NULL } },
};

unsigned training_word_of(numel_str part, bool inside)
{
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (part.n && part.p[0] == words[i].name[0] && (inside || !words[i].inside) &&
            text_equal(part, words[i].name))
            return i;
    return UINT32_MAX;
}

const struct training_word *training_word(unsigned i) { return &words[i]; }

bool training_settings(unsigned i)
{
    return i < sizeof words / sizeof *words &&
           (strcmp(words[i].name, "n_averaged") == 0 || words[i].form == FORM_SETTING);
}
