"""A first load of millions, through `neo4j-admin database import`."""
