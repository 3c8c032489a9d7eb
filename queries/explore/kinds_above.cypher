// name: kinds_above
// What a disease is a kind of, step by step, as paths to look at. The kind that everything is of is left out.
// :param name => 'Type 2 diabetes'
// returns: path
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
MATCH path = (c:Concept)-[:IS_A*1..6]->(k:Concept)
WHERE (EXISTS { (k)-[:IS_A]->() } OR NOT EXISTS { (k)<-[:IS_A]-()<-[:IS_A]-()<-[:IS_A]-() })
RETURN path
LIMIT 200
