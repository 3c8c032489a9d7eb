// name: relation_sources
// What sources of relations are called, under which licence, and of which release.
// :param ids => ['sample']
// returns: source, title, url, licence, version
UNWIND $ids AS id
MATCH (s:Source {id: id})
RETURN s.id AS source, coalesce(nullIf(s.title, ''), s.id) AS title, coalesce(s.url, '') AS url, coalesce(s.licence, '') AS licence,
       coalesce(s.version, '') AS version
