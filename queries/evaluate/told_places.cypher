// name: told_places
// Where relations are told best: the surest of the mentions in the role that one rests on, with its text.
// :param roles => {HAS_SYMPTOM: 'symptom'}
// :param rows => [{head: 'C0018099', relation: 'HAS_SYMPTOM', tail: 'C0015967', evidence: ['a1#1']}]
// returns: head, head_name, relation, tail, tail_name, section, title, kind, text, surface, start, end, role_score
UNWIND $rows AS row
MATCH (head:Concept {cui: row.head}), (tail:Concept {cui: row.tail})
CALL (row, tail) {
  UNWIND row.evidence AS id
  MATCH (s:Section {id: id})-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(tail)
  WHERE m.role = $roles[row.relation]
  RETURN s, m ORDER BY m.role_score DESC, s.id, m.start LIMIT 1
}
RETURN row.head AS head, head.name AS head_name, row.relation AS relation, row.tail AS tail, tail.name AS tail_name,
       s.id AS section, s.title AS title, s.type AS kind, s.text AS text, m.surface AS surface, m.start AS start,
       m.end AS end, m.role_score AS role_score
