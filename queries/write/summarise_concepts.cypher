// name: summarise_concepts
// Names each concept after what most entities call it, and gathers semantic types and sources from all that point to it.
// :param source => 'medquad'
// returns:
MATCH (:Source {id: $source})<-[:FROM]-(:Entity)-[:HAS_CUI {source: $source}]->(found:Concept)
WITH DISTINCT found AS c
CALL (c) {
  MATCH (c)<-[h:HAS_CUI]-(e:Entity)
  WITH e.name AS name, count(*) AS uses ORDER BY uses DESC, size(name), name LIMIT 1
  SET c.name = name
}
CALL (c) {
  MATCH (c)<-[h:HAS_CUI]-()
  UNWIND h.semantic_types + [''] AS type
  WITH c, type, h ORDER BY type
  WITH c, collect(DISTINCT CASE WHEN type <> '' THEN type END) AS types, collect(DISTINCT h.source) AS sources
  SET c.semantic_types = types, c.sources = sources
}
