"""What agents call: tools, resources and prompts of the Model Context Protocol."""
