"""THE COMMAND LINE: one file a group of commands; each parses, calls one function and prints."""
