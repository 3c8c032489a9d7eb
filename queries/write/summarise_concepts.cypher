// name: summarise_concepts
// Names each concept of some sources after what most sources call the entities that stand for it, gathers semantic types
// and sources from all that point to it, and removes it when none does any more; so it does with what entities were
// joined at and none stands for any more.
// :param sources => ['medquad']
// returns: removed
CYPHER 25
MATCH (c:Concept)
WHERE CASE
  WHEN c.derived THEN NOT EXISTS { (c)<-[:MEANS]-() }
  ELSE any(s IN c.sources WHERE s IN $sources) OR EXISTS { (c)<-[h:HAS_CUI]-() WHERE h.source IN $sources }
    OR NOT EXISTS { (c)<-[:HAS_CUI]-() }
END
CALL (c) {
  SET c.cui = c.cui // which locks it, so that two loads at once see what the other one wrote
  WITH c
  CALL (c) {
    OPTIONAL MATCH (c)<-[h:HAS_CUI]-(e:Entity)-[f:FROM]->(s:Source)
    WHERE s.id = h.source
    WITH coalesce(f.name, e.name) AS name, count(*) AS uses ORDER BY uses DESC, size(name), name LIMIT 1
    RETURN name
  }
  CALL (c) {
    OPTIONAL MATCH (c)<-[h:HAS_CUI]-()
    UNWIND coalesce(h.semantic_types, []) + [''] AS type
    WITH type, h.source AS source ORDER BY type
    WITH collect(DISTINCT CASE WHEN type <> '' THEN type END) AS types, collect(DISTINCT source) AS sources
    RETURN types, COLLECT { UNWIND sources AS source RETURN source ORDER BY source } AS sources
  }
  SET c.name = CASE WHEN c.ids IS NULL THEN name ELSE c.name END, c.semantic_types = types, c.sources = sources
  SET c.folded_name = toLower(c.name)
  WITH c WHERE size(c.sources) = 0
  DETACH DELETE c
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 1000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(gone) AS removed
