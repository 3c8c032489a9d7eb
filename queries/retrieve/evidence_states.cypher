// name: evidence_states
// What sections say, and of relations between concepts which sources say them and whether others say the opposite; nothing of what
// is not in the graph.
// :param sections => ['sample:gout#6']
// :param facts => [{id: 'C0018099|TREATED_BY|C0002144', subject: 'C0018099', relation: 'TREATED_BY', object: 'C0002144'}]
// returns: id, text
UNWIND $sections AS id
MATCH (s:Section {id: id})
RETURN s.id AS id, s.text AS text
UNION ALL
UNWIND $facts AS fact
MATCH (:Concept {cui: fact.subject})-[r]-(x:Concept|Term)
WHERE type(r) = fact.relation AND coalesce(x.cui, x.id) = fact.object
WITH fact.id AS id, r ORDER BY elementId(r) LIMIT 1
RETURN id, reduce(text = r.polarity, source IN COLLECT { UNWIND r.sources AS s RETURN s ORDER BY s } | text + ' ' + source) AS text
