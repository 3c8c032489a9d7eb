// name: stored_entities
// What sources state of entities, whole.
// :param rows => [{id: 'medquad:asthma', source: 'medquad'}]
// returns: id, source, label, statement, concepts, hash, load
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})-[f:FROM]->(s WHERE s.id = row.source)
USING INDEX SEEK e:Entity(id)
RETURN row.id AS id, row.source AS source,
       coalesce(f.label, [l IN labels(e) WHERE l <> 'Entity'][0]) AS label,
       CASE WHEN f.label IS NULL THEN e {.*, id: null, sources: null}
            ELSE f {.*, label: null, hash: null, load: null, seen: null} END AS statement,
       COLLECT { MATCH (e)-[:HAS_CUI {source: row.source}]->(c:Concept) RETURN c.cui ORDER BY c.cui } AS concepts,
       f.hash AS hash, f.load AS load
