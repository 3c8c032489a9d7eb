// name: refused_joins
// Cross-references, names and mappings that would have made one of two terms that a vocabulary or a curator tells apart,
// with the chain that leads from one to the other.
// :param source => ''
// :param limit => 10000
// mends: correct the least sure step of the chain in its source, or say what is so: medgraph review accept, or reject, and index concepts
// fault: CREATE (:Review {id: 's:gout|s:pain', one: 's:gout', other: 's:pain', method: 'xref', evidence: 's:pain', score: 0.97, status: 'refused', chain: ['s:gout = s:pain (xref: s:pain)']})
// returns: severity, source, keys, what, count, examples
MATCH (r:Review {status: 'refused'})
WITH r, reduce(all = [], step IN coalesce(r.chain, []) | all + split(split(step, ' (')[0], ' = ')) AS ids
WITH r, [id IN ids WHERE size([other IN ids WHERE other = id]) = 1] AS ends // a chain passes each of the others twice
WHERE size(ends) = 2
OPTIONAL MATCH (a:Entity {id: ends[0]})
OPTIONAL MATCH (b:Entity {id: ends[1]})
WITH r, ends, a, b
WHERE $source = '' OR EXISTS { MATCH (e:Entity)-[:FROM]->(:Source {id: $source}) WHERE e.id IN [r.one, r.other] }
RETURN CASE r.method WHEN 'xref' THEN 'warning' WHEN 'stated' THEN 'warning' ELSE 'note' END AS severity, '' AS source,
       [r.one, r.other] AS keys,
       '2 terms would have become one: ' + ends[0] + coalesce(' ' + a.name, '') + ' and ' + ends[1] + coalesce(' ' + b.name, '')
         + ', by the ' + r.method + ' ' + r.evidence AS what,
       2 AS count, r.chain AS examples
ORDER BY severity DESC, r.score DESC, keys LIMIT $limit
