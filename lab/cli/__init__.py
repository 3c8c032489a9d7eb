"""The commands that measure, reproduce and train: each module beside this one exports its commands."""
