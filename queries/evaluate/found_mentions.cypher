// name: found_mentions
// What stands at places of sections as a mention, with the concept and all ids of its entities.
// :param rows => [{section: 'medquad:GARD_0000001#1', start: 0, end: 4}]
// returns: section, start, end, ids
UNWIND $rows AS row
MATCH (s:Section {id: row.section})-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS {start: row.start, end: row.end}]->(c:Concept)
RETURN DISTINCT s.id AS section, m.start AS start, m.end AS end, [c.cui] + coalesce(c.ids, []) AS ids
