"""Quality figures: metrics, development sets and the tables made from them."""
