// name: filter_values
// What can be filtered by: sources with their licence, the source each is a part of, collections and section types;
// not those of which a failed load left nothing.
// returns: source, licence, part_of, collections, types
MATCH (s:Source)
WHERE EXISTS { (s)<-[:FROM]-(:Document|Entity) } OR NOT EXISTS { (s)<-[:FROM]-(:Load {status: 'failed'}) }
RETURN s.id AS source, coalesce(s.licence, '') AS licence, coalesce(s.part_of, '') AS part_of,
       coalesce(s.collections, []) AS collections, coalesce(s.types, []) AS types
ORDER BY source
