// name: unknown_prefixes
// Every prefix of ids, cross-references, evidence and predicates by source, with how often it is used; those that nobody knows
// are reported.
// :param source => ''
// :param examples => 5
// mends: correct the ids in the source, or write the prefix into prefixes.tsv in the data folder, or under prefixes: of the mapping
// returns: source, field, prefix, count, examples
CALL () {
  MATCH (e:Entity)-[f:FROM]->(s:Source)
  WHERE $source = '' OR s.id = $source
  RETURN s.id AS source, 'ids' AS field, e.id AS id
  UNION ALL
  MATCH (e:Entity)-[f:FROM]->(s:Source)
  WHERE $source = '' OR s.id = $source
  UNWIND coalesce(CASE WHEN f.label IS NULL THEN e.xrefs ELSE f.xrefs END, []) AS id
  RETURN s.id AS source, 'cross-references' AS field, id
  UNION ALL
  MATCH (:Entity)-[r]->(:Entity)
  WHERE ($source = '' OR r.source = $source) AND r.evidence IS NOT NULL
  UNWIND r.evidence AS id
  WITH r, id WHERE NOT EXISTS { (:Section {id: id}) } AND NOT EXISTS { (:Document {id: id}) }
  RETURN r.source AS source, 'evidence' AS field, id
  UNION ALL
  MATCH (:Entity)-[r]->(:Entity)
  WHERE ($source = '' OR r.source = $source) AND r.predicate CONTAINS ':'
  RETURN r.source AS source, 'predicates' AS field, r.predicate AS id
}
WITH source, field, CASE WHEN id CONTAINS ':' THEN split(id, ':')[0] ELSE '' END AS prefix, id
WITH source, field, prefix, count(*) AS count, min(id) AS first, max(id) AS last
RETURN source, field, prefix, count, CASE WHEN first = last THEN [first] ELSE [first, last] END[..$examples] AS examples
ORDER BY source, field, prefix
