#!/usr/bin/env python3
"""mkclasses.py > classes.table: the classes of each model type, from the auto classes of transformers.

    model_type PREFIX base=BertModel causal=BertLMHeadModel ...

PREFIX precedes the names of the base class in a class with a head; `-` if there is none. Needs
transformers and torch; classes that cannot be imported are omitted.
"""
import transformers
from transformers.models.auto import modeling_auto as auto

KINDS = {
    "base": "MODEL_MAPPING_NAMES",
    "causal": "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
    "masked": "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
    "seq2seq": "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES",
    "speech2seq": "MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES",
    "multimodal": "MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES",
    "image_text": "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
    "pretraining": "MODEL_FOR_PRETRAINING_MAPPING_NAMES",
    "backbone": "MODEL_FOR_BACKBONE_MAPPING_NAMES",
    "encoding": "MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES",
    "image": "MODEL_FOR_IMAGE_MAPPING_NAMES",
    "vision": "MODEL_FOR_VISION_ENCODING_MAPPING_NAMES",
    "sequence": "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES",
    "token": "MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES",
    "question": "MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES",
    "ctc": "MODEL_FOR_CTC_MAPPING_NAMES",
    "audio": "MODEL_FOR_AUDIO_CLASSIFICATION_MAPPING_NAMES",
    "images": "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES",
    "mel": "MODEL_FOR_TEXT_TO_SPECTROGRAM_MAPPING_NAMES",
    "waveform": "MODEL_FOR_TEXT_TO_WAVEFORM_MAPPING_NAMES",
}


def prefix_of(names):
    for name in names:
        try:
            return getattr(transformers, name).base_model_prefix or "-"
        except Exception:  # one of its imports is missing
            continue
    return None


def main():
    classes = {}
    for kind, mapping in KINDS.items():
        for model_type, names in getattr(auto, mapping, {}).items():
            first = names if isinstance(names, str) else names[0]
            classes.setdefault(model_type, {}).setdefault(kind, first)
    print("# model_type base_model_prefix KIND=Class...")
    print("# Made by mkclasses.py from the auto classes of Hugging Face transformers.")
    for model_type in sorted(classes):
        known = classes[model_type]
        prefix = prefix_of(known.values())
        if prefix:
            print(model_type, prefix, *(f"{kind}={known[kind]}" for kind in KINDS if kind in known))


main()
