// name: provenance_of_relations
// Who says what of a disease: every relation to another entity with source, licence and method.
// :param name => 'Gout'
// returns: subject, relation, object, source, licence, method, load
MATCH (e:Disease {name: $name})-[r]-(:Entity)
MATCH (s:Source {id: r.source})
RETURN startNode(r).name AS subject, type(r) AS relation, endNode(r).name AS object, s.id AS source,
       s.licence AS licence, r.method AS method, r.load AS load
ORDER BY relation, subject, object
