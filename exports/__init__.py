"""The graph into the field's formats: KGX, SSSOM and N-Quads."""
