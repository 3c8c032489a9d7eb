"""Exchange formats of the field: KGX, SSSOM and N-Quads."""
