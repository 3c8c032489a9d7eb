"""What measures and trains medgraph; nothing of the product imports it."""
