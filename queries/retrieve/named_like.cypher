// name: named_like
// What concepts are called that are named nearly so, the likest first.
// :param lucene => '+goutt~'
// :param limit => 3
// returns: name
CALL db.index.fulltext.queryNodes('concept_name', $lucene, {limit: 50}) YIELD node, score
WITH DISTINCT node.name AS name, max(score) AS score ORDER BY score DESC, size(name), name LIMIT $limit
RETURN name
