// name: not_to_be_given_with
// What a drug must not be given with, or only with care: conditions in which it must be avoided, and what it interacts with.
// :param drug => 'Allopurinol'
// :param limit => 50
// returns: what, kind, relation, sources, sections, score
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($drug, '\\', ' '), '"', ' ') + '"') YIELD node AS d
WHERE toLower($drug) IN d.names
MATCH (d:Concept)-[r:CONTRAINDICATED_WITH|INTERACTS_WITH]-(x:Concept)
RETURN x.name AS what, [l IN labels(x) WHERE l <> 'Concept'][0] AS kind, type(r) AS relation, r.sources AS sources,
       r.section_count AS sections, r.score AS score
ORDER BY size(sources) DESC, sections DESC, score DESC, what LIMIT $limit
