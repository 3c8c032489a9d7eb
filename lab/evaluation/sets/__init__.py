"""The sets that quality is measured on: one file each, with how it is read and what is asked of it."""
