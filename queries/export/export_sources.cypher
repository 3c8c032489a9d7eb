// name: export_sources
// Sources with what is recorded of them and the one that they are a part of.
// returns: id, part_of, facts
MATCH (s:Source)
RETURN s.id AS id, coalesce(s.part_of, '') AS part_of,
       s {.id, .title, .version, .licence, .url, .citation, .rank, .table, prefixes: coalesce(s.prefixes, []),
          namespaces: coalesce(s.namespaces, [])} AS facts
ORDER BY id
