"""Full texts of articles in JATS."""
