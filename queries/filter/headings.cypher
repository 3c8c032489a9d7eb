// name: headings
// The MeSH heading that has an id or a name, with those below it.
// :param id => 'MESH:D001249'
// :param name => 'asthma'
// :param lucene => 'name:("asthma") synonyms:("asthma")'
// returns: id, name
CALL () {
  MATCH (e:Entity {id: $id})
  RETURN e
  UNION
  CALL db.index.fulltext.queryNodes('entity_name', $lucene, {limit: 1000}) YIELD node AS e
  WHERE e.id STARTS WITH 'MESH:D' AND (toLower(e.name) = $name OR any(other IN e.synonyms WHERE toLower(other) = $name))
  RETURN e
}
MATCH (e)<-[:IS_A*0..15 {source: 'mesh'}]-(below:Entity)
RETURN DISTINCT below.id AS id, toLower(coalesce(below.name, below.id)) AS name
ORDER BY id
