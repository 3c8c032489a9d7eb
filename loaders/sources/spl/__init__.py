"""Drug labels as Structured Product Labeling, and the model of a label that other forms of it are read into."""
