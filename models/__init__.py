"""LANGUAGE MODELS: one interface, and one file for each kind of model behind it."""
