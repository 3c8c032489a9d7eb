// name: undo_load
// Notes that a load was taken back, and gives the source the facts of the load before it.
// :param load => 2
// :param before => 1
// returns:
MATCH (l:Load {id: $load})-[:FROM]->(s:Source)
MATCH (old:Load {id: $before})
SET l.status = 'undone', l.sha256 = '',
    s += old {.title, .version, .licence, .url, .citation, .rank, .prefixes, .namespaces, .released, .table}
