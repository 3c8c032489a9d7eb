"""PAPER → ITS TABLES: one file a paper, each measured here as far as public data and the models at hand allow."""
