"""MCP server for agents: tools, resources and prompts of the Model Context Protocol."""
