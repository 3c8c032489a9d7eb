"""Text to mentions to concepts: what is named, where, and what it stands for."""
