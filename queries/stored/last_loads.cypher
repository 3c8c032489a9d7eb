// name: last_loads
// The two newest loads of a source that were not undone, newest first.
// :param source => 'medquad'
// returns: id, file, status, added
MATCH (:Source {id: $source})<-[:FROM]-(l:Load)
WHERE l.status <> 'undone'
RETURN l.id AS id, l.file AS file, l.status AS status, l.added AS added
ORDER BY l.id DESC LIMIT 2
