"""Measurement and training of medgraph; nothing of the product imports it."""
