"""Whether what an answer says is said where it is cited, and what other evidence says of the same."""
