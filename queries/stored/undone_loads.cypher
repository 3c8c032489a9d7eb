// name: undone_loads
// Loads of a source that came after one and were taken back.
// :param source => 'medquad'
// :param load => 1
// returns: id
MATCH (:Source {id: $source})<-[:FROM]-(l:Load)
WHERE l.id > $load AND l.status = 'undone'
RETURN l.id AS id
