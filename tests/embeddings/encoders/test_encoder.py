"""Which encoder the settings name, and that loading it is nobody else's business."""

import os
import subprocess
import sys

from medgraph.embeddings.encoders.encoder import model_of
from medgraph.schema.migrate import Model
from medgraph.settings import DEFAULT_ENCODER, Settings


def test_what_is_known_of_the_default_encoder_is_so(encoder, settings):
    assert model_of(settings) == Model(encoder.name, encoder.dimension) == Model(DEFAULT_ENCODER, 384)


def test_nothing_is_told_to_anybody(tmp_path):
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): print('connected', a); raise OSError\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from medgraph.settings import Settings\n"
        "from medgraph.embeddings.encoders.encoder import load_encoder\n"
        "print(load_encoder(Settings.from_environment()).encode(['gout']).shape, sys.modules['openvino_telemetry'])\n"
    )
    cache = str(Settings.from_environment().cache)
    environment = {**os.environ, "HOME": str(tmp_path), "MEDGRAPH_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 384) None\n"
    assert [path.name for path in tmp_path.iterdir()] == []
