// name: unload_concepts
// Removes the concepts that no entity stands for any more; names the others anew where a source that named them is gone.
// :param source => 'medquad'
// returns: removed
MATCH (c:Concept)
WHERE $source IN c.sources
CALL (c) {
  OPTIONAL MATCH (c)<-[:HAS_CUI]-(e:Entity)
  WITH c, e.name AS name, count(e) AS uses ORDER BY uses DESC, size(name), name
  WITH c, collect(name) AS names
  SET c.name = names[0]
  WITH c, names
  OPTIONAL MATCH (c)<-[h:HAS_CUI]-()
  UNWIND coalesce(h.semantic_types, []) + [''] AS type
  WITH c, names, type, h ORDER BY type
  WITH c, names, collect(DISTINCT CASE WHEN type <> '' THEN type END) AS types, collect(DISTINCT h.source) AS sources
  SET c.semantic_types = types, c.sources = sources
  WITH c, names WHERE size(names) = 0
  DETACH DELETE c
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 1000 ROWS
RETURN sum(gone) AS removed
