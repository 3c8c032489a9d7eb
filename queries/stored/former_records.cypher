// name: former_records
// What a load changed or withdrew, as it was before, a page at a time.
// :param load => 2
// :param limit => 500
// returns: element, kind, key, source, record, hash, load
MATCH (:Load {id: $load})<-[:BEFORE]-(f:Former)
RETURN elementId(f) AS element, f.kind AS kind, f.key AS key, f.source AS source, f.record AS record, f.hash AS hash,
       f.load AS load
ORDER BY CASE f.kind WHEN 'Entity' THEN 0 WHEN 'Relation' THEN 1 ELSE 2 END
LIMIT $limit
