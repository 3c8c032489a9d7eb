"""Records as other people's formats carry them: KGX, N-Quads and SSSOM, and back without loss."""
