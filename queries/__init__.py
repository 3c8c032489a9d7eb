"""Every Cypher statement but the schema's, and the retriever that runs them."""
