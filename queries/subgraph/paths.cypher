// name: paths
// Paths between two concepts or terms, the best first: one leads to the other, both lead to something, or something leads to both. What has many relations says little and counts less (their number to the power of -0.4); from what has more than `hub` no path is looked for. Each hop has who says so, with the licence.
// :param first => 'C0004238'
// :param second => 'C0018801'
// :param hops => 3
// :param scan => 5000
// :param fan_out => 200
// :param hub => 1000
// :param limit => 50
// returns: score, nodes, hops
CALL () {
  MATCH (a:Concept {cui: $first}) RETURN a
  UNION
  MATCH (a:Term {id: $first}) RETURN a
}
CALL () {
  MATCH (b:Concept {cui: $second}) RETURN b
  UNION
  MATCH (b:Term {id: $second}) RETURN b
}
WITH a, b, {IS_A: 0.5, PART_OF: 0.5, HAS_PART: 0.5, LOCATED_IN: 0.5, HAS_MEMBER: 0.5, DEVELOPS_FROM: 0.5, RESEMBLES: 0.3,
            BROAD_MATCH: 0.3, NARROW_MATCH: 0.3, RELATED_MATCH: 0.3, RELATED_TO: 0.3} AS worth // of others it is 1
CALL (a, b, worth) { // what is beside each of the two, the best of it and what is beside both
  UNWIND [{at: a, to: b, first: true}, {at: b, to: a, first: false}] AS side
  WITH side, side.at AS c, side.to AS other, worth
  CALL (c, other, side, worth) {
    MATCH (c)-[r:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY
                |TREATED_BY|PREVENTED_BY|WORSENED_BY|CONTRAINDICATED_WITH|PALLIATES|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS
                |INTERACTS_WITH|REGULATES|UPREGULATES|DOWNREGULATES|EXPRESSES|COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH
                |RESEMBLES|EXACT_MATCH|CLOSE_MATCH|BROAD_MATCH|RELATED_MATCH|RELATED_TO]-(x:Concept|Term)
    WHERE x <> c
    WITH x, (startNode(r) = c) = side.first AS out, r LIMIT $scan
    WITH x, out, r, coalesce(worth[type(r)], 1.0) * r.score AS weight
    WITH x, out, 1 - reduce(doubt = 1.0, w IN collect(weight) | doubt * (1 - w)) AS weight, collect(r) AS said
    WITH x, out, weight, said, COUNT { (x)-[:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY
                |TREATED_BY|PREVENTED_BY|WORSENED_BY|CONTRAINDICATED_WITH|PALLIATES|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS
                |INTERACTS_WITH|REGULATES|UPREGULATES|DOWNREGULATES|EXPRESSES|COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH
                |RESEMBLES|EXACT_MATCH|CLOSE_MATCH|BROAD_MATCH|RELATED_MATCH|RELATED_TO]-() } AS degree
    WITH x, out, weight, said, degree, weight * (degree + 1.0) ^ -0.4 AS damped
    ORDER BY x = other DESC, damped DESC, coalesce(x.cui, x.id), out
    RETURN collect({x: x, out: out, weight: weight, damped: damped, degree: degree, said: said}) AS beside
  }
  WITH collect(beside) AS besides
  WITH besides[0] AS all_a, besides[1] AS all_b
  WITH all_a, all_b, [p IN all_a | p.x] AS nodes_a, [q IN all_b | q.x] AS nodes_b
  RETURN all_a[..$fan_out] + [p IN all_a[$fan_out..] WHERE p.x IN nodes_b | p][..$fan_out] AS ring_a,
         all_b[..$fan_out] + [q IN all_b[$fan_out..] WHERE q.x IN nodes_a | q][..$fan_out] AS ring_b
}
CALL (a, b, ring_a, ring_b, worth) {
  UNWIND ring_a AS p
  WITH p WHERE p.x = b
  RETURN p.weight AS score, [] AS middle, [p.out] AS outs, [p.said] AS said
  UNION ALL
  UNWIND CASE WHEN $hops > 1 THEN ring_a ELSE [] END AS p
  UNWIND ring_b AS q
  WITH p, q WHERE p.x = q.x
  RETURN p.damped * q.weight AS score, [p.x] AS middle, [p.out, q.out] AS outs, [p.said, q.said] AS said
  UNION ALL
  WITH [p IN ring_a WHERE p.x <> b | p] AS left, [q IN ring_b WHERE q.x <> a | q] AS right
  WITH left, right, reduce(n = 0, p IN left | n + CASE WHEN p.degree > $hub THEN 0 ELSE p.degree END)
         <= reduce(n = 0, q IN right | n + CASE WHEN q.degree > $hub THEN 0 ELSE q.degree END) AS from_left
  WITH CASE WHEN from_left THEN left ELSE right END AS near, CASE WHEN from_left THEN right ELSE left END AS far, from_left
  WITH near, far, [p IN near WHERE p.degree > $hub | p] AS hubs, from_left
  WITH near, far, hubs, from_left, [q IN far | q.x] AS far_nodes, [p IN hubs | p.x] AS hub_nodes
  UNWIND CASE WHEN $hops > 2 THEN [p IN near WHERE p.degree <= $hub | {at: p, near: true}] ELSE [] END
    + CASE WHEN $hops > 2 AND size(hubs) > 0 THEN [q IN far WHERE q.degree <= $hub | {at: q, near: false}] ELSE [] END AS step
  WITH step.at AS at, step.near = from_left AS first, CASE WHEN step.near THEN far ELSE hubs END AS others,
       CASE WHEN step.near THEN far_nodes ELSE hub_nodes END AS wanted
  CALL (at, first, wanted, worth) {
    WITH at.x AS c, first, wanted, worth
    MATCH (c)-[r:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY
                |TREATED_BY|PREVENTED_BY|WORSENED_BY|CONTRAINDICATED_WITH|PALLIATES|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS
                |INTERACTS_WITH|REGULATES|UPREGULATES|DOWNREGULATES|EXPRESSES|COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH
                |RESEMBLES|EXACT_MATCH|CLOSE_MATCH|BROAD_MATCH|RELATED_MATCH|RELATED_TO]-(x:Concept|Term)
    WHERE x IN wanted AND x <> c
    WITH x, (startNode(r) = c) = first AS out, r, coalesce(worth[type(r)], 1.0) * r.score AS weight
    RETURN x, out, 1 - reduce(doubt = 1.0, w IN collect(weight) | doubt * (1 - w)) AS weight, collect(r) AS said
  }
  UNWIND [other IN others WHERE other.x = x | other] AS other
  WITH out, weight, said, CASE WHEN first THEN at ELSE other END AS p, CASE WHEN first THEN other ELSE at END AS q
  WHERE NOT (p.out = q.out AND out <> p.out) // one turn at most
  RETURN p.damped * weight * q.damped AS score, [p.x, q.x] AS middle, [p.out, out, q.out] AS outs,
         [p.said, said, q.said] AS said
}
WITH score, [a] + middle + [b] AS nodes, outs, said
ORDER BY score DESC, size(nodes), [n IN nodes | coalesce(n.cui, n.id)], outs LIMIT $limit
CALL (outs, said) { // who says so
  UNWIND range(0, size(outs) - 1) AS i
  UNWIND said[i] AS r
  UNWIND [{method: 'stated', sources: [s IN r.stated WHERE NOT s IN coalesce(r.predicted, [])],
           score: r.stated_score, evidence: coalesce(r.evidence, [])},
          {method: 'predicted', sources: coalesce(r.predicted, []), score: r.stated_score, evidence: []},
          {method: CASE WHEN endNode(r):Term THEN 'term' WHEN r.models IS NULL THEN 'section' ELSE 'model' END, sources: r.told, evidence: r.sections,
           score: round(r.told_score, 3)}] AS voice
  WITH i, type(r) AS relation, voice WHERE voice.sources <> []
  WITH i, relation, voice.method AS method, voice.score AS score, voice.sources AS sources, voice.evidence AS evidence,
       COLLECT { UNWIND voice.sources AS id MATCH (s:Source {id: id}) RETURN DISTINCT s.licence } AS licences
  ORDER BY relation = 'IS_A', method = 'term', score DESC, relation, method
  WITH i, collect({relation: relation, method: method, sources: sources, licences: licences, score: score,
                   evidence: evidence[..5]}) AS voices ORDER BY i
  RETURN collect({forward: outs[i], said: voices}) AS hops
}
RETURN score, [n IN nodes | {id: coalesce(n.cui, n.id), name: coalesce(n.name, n.cui), label: coalesce([l IN labels(n) WHERE l <> 'Concept'][0], 'Concept'),
         entity: coalesce(COLLECT { MATCH (n)<-[:MEANS]-(e:Entity)
                                    RETURN e.id ORDER BY toLower(e.name) <> toLower(n.name), e.id LIMIT 1 }[0], '')}] AS nodes,
       hops
ORDER BY score DESC, size(hops), [n IN nodes | n.id], [h IN hops | h.forward]
