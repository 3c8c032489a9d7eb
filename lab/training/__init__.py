"""Models trained from the graph itself: what weighs the branches of search, and the encoder of questions."""
