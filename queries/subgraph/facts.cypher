// name: facts
// Facts of the graph, with who says so: what stands in a relation to a concept, or which relations two concepts have. Head,
// tail or both are given; what is empty may be anything. Of each of the `limit` surest relations all who say so are given.
// :param head => 'C0018099'
// :param relation => 'HAS_SYMPTOM'
// :param tail => ''
// :param limit => 50
// returns: head, head_name, relation, tail, tail_name, sources, method, score, evidence
CALL () {
  MATCH (c:Concept {cui: $head})
  RETURN c, true AS is_head
  UNION ALL
  MATCH (c:Concept {cui: $tail})
  WHERE $head = ''
  RETURN c, false AS is_head
  UNION ALL
  MATCH (c:Term {id: $tail})
  WHERE $head = ''
  RETURN c, false AS is_head
}
CALL (c, is_head) {
  MATCH (c)-[r]->(x:Concept|Term)
  WHERE is_head AND $tail IN ['', x.cui, x.id]
  RETURN c AS h, x AS t, r
  UNION ALL
  MATCH (c)<-[r]-(x:Concept)
  WHERE NOT is_head
  RETURN x AS h, c AS t, r
}
WITH h, t, r WHERE $relation IN ['', type(r)]
WITH h, t, r, [voice IN [{method: 'stated', sources: [s IN r.stated WHERE NOT s IN coalesce(r.predicted, [])],
         score: coalesce(r.stated_score, 1.0), evidence: coalesce(r.evidence, [])},
        {method: 'predicted', sources: coalesce(r.predicted, []), score: coalesce(r.stated_score, 0.5), evidence: []},
        {method: CASE WHEN t:Term THEN 'term' WHEN r.models IS NULL THEN 'section' ELSE 'model' END, sources: r.told, score: r.told_score, evidence: r.sections}] WHERE voice.sources <> []] AS voices
WHERE voices <> []
WITH h, t, r, voices, reduce(best = 0.0, voice IN voices | CASE WHEN voice.score > best THEN voice.score ELSE best END) AS best
ORDER BY type(r), r.models IS NOT NULL AND r.stated = [], best DESC, t.name, coalesce(t.cui, t.id), h.cui
LIMIT $limit
UNWIND voices AS voice
RETURN h.cui AS head, h.name AS head_name, type(r) AS relation, coalesce(t.cui, t.id) AS tail, t.name AS tail_name,
       voice.sources AS sources, voice.method AS method, voice.score AS score, voice.evidence[..5] AS evidence
ORDER BY relation, method = 'model', score DESC, tail_name, tail, head
