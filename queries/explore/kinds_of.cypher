// name: kinds_of
// What is a kind of something, with who says so.
// :param name => 'diabetes mellitus'
// :param limit => 50
// returns: kind, sources, further
MATCH (x:Concept)<-[r:IS_A]-(k:Concept)
USING SCAN x:Concept
WHERE toLower($name) IN x.names
RETURN k.name AS kind, r.sources AS sources, COUNT { (k)<-[:IS_A]-() } AS further
ORDER BY further DESC, kind LIMIT $limit
