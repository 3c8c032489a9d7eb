// name: provenance_of_relations
// Who says what of an entity: every relation to another one with source, licence, method, and evidence where the source gives it.
// :param name => 'Gout'
// returns: subject, relation, object, source, licence, method, predicate, evidence, score, load
MATCH (e:Entity {name: $name})-[r]-(:Entity)
MATCH (s:Source {id: r.source})
RETURN startNode(r).name AS subject, type(r) AS relation, endNode(r).name AS object, s.id AS source,
       s.licence AS licence, r.method AS method, r.predicate AS predicate, r.evidence AS evidence, r.score AS score,
       r.load AS load
ORDER BY relation, subject, object, source
