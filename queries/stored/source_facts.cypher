// name: source_facts
// What is recorded of sources, and of which source each is a part.
// :param ids => ['umls-msh']
// returns: id, part_of, facts
UNWIND $ids AS id
MATCH (s:Source {id: id})
RETURN id, coalesce(s.part_of, '') AS part_of,
       s {.id, .title, .version, .licence, .url, .citation, .rank, .prefixes, .namespaces, .released, .table} AS facts
