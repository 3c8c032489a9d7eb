// name: shared_xrefs
// Cross-references that two or more entities of one source claim, by what they refer to; the UMLS has a check of its own.
// :param source => ''
// :param examples => 5
// mends: nothing for classifications such as ICD; else leave the one that means the same
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[f:FROM]-(e:Entity)
WHERE $source = '' OR s.id = $source
WITH s, e, CASE WHEN f.label IS NULL THEN e {.xrefs, .obsolete} ELSE f {.xrefs, .obsolete} END AS said
WHERE NOT coalesce(said.obsolete, false)
UNWIND [xref IN coalesce(said.xrefs, []) WHERE NOT xref STARTS WITH 'UMLS:'] AS xref
WITH s.id AS source, xref, count(DISTINCT e) AS claims, min(e.id) AS first, max(e.id) AS last
WITH source, split(xref, ':')[0] AS prefix, xref, claims, first, last ORDER BY claims DESC, xref
WITH source, prefix, count(*) AS total, sum(CASE WHEN claims > 1 THEN 1 ELSE 0 END) AS count,
     collect(CASE WHEN claims > 1 THEN xref + ': ' + toString(claims) + ' entities, ' + first + ' to ' + last END)[..$examples] AS examples
WHERE count > 0
RETURN 'note' AS severity, source, [source, prefix] AS keys,
       toString(count) + ' of ' + toString(total) + ' cross-references to ' + prefix + ' are claimed by more than one entity' AS what,
       count, examples
ORDER BY source, count DESC, prefix
