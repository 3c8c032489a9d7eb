"""Text encoders: one file each, and what they share."""
