// name: filter_values
// What can be filtered by: sources with their collections and section types.
// returns: source, collections, types
MATCH (s:Source)
RETURN s.id AS source, coalesce(s.collections, []) AS collections, coalesce(s.types, []) AS types
ORDER BY source
