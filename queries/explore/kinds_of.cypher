// name: kinds_of
// What is a kind of something, with who says so.
// :param name => 'diabetes mellitus'
// :param limit => 50
// returns: kind, sources, further
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS x
WHERE toLower($name) IN x.names
MATCH (x:Concept)<-[r:IS_A]-(k:Concept)
RETURN k.name AS kind, r.sources AS sources, COUNT { (k)<-[:IS_A]-() } AS further
ORDER BY further DESC, kind LIMIT $limit
