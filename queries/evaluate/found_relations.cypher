// name: found_relations
// Which of some relations between concepts sections of the graph still tell.
// :param rows => [{head: 'C0018099', relation: 'HAS_SYMPTOM', tail: 'C0015967'}]
// returns: head, relation, tail
UNWIND $rows AS row
MATCH (:Concept {cui: row.head})-[r]->(:Concept {cui: row.tail})
WHERE type(r) = row.relation AND r.told <> []
RETURN DISTINCT row.head AS head, row.relation AS relation, row.tail AS tail
