// name: export_entities
// Every entity with what each of some sources states of it, in the order of ids; the source of the lowest rank goes first.
// :param sources => ['sample']
// returns: id, told
CYPHER 25
MATCH (e:Entity)
WHERE e.id > '' // which lets the index give them in order
CALL (e) {
  MATCH (e)-[f:FROM]->(s:Source)
  WHERE s.id IN $sources
  WITH f, s ORDER BY coalesce(s.rank, 5), s.id
  RETURN collect({
    source: s.id,
    label: coalesce(f.label, [l IN labels(e) WHERE l <> 'Entity'][0]),
    statement: CASE WHEN f.label IS NULL THEN e {.*, id: null, sources: null}
                    ELSE f {.*, label: null, hash: null, load: null, seen: null} END,
    concepts: COLLECT { MATCH (e)-[:HAS_CUI {source: s.id}]->(c:Concept) RETURN c.cui ORDER BY c.cui }
  }) AS told
}
WITH e, told WHERE size(told) > 0
RETURN e.id AS id, told
ORDER BY id
