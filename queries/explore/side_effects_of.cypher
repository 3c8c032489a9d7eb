// name: side_effects_of
// Side effects of a drug, with who says so; what most say first.
// :param drug => 'Allopurinol'
// :param limit => 50
// returns: side_effect, sources, sections, score, polarity
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($drug, '\\', ' '), '"', ' ') + '"') YIELD node AS d
WHERE toLower($drug) IN d.names
MATCH (d:Concept)-[r:HAS_SIDE_EFFECT]->(x:Concept)
RETURN x.name AS side_effect, r.sources AS sources, r.section_count AS sections, r.score AS score, r.polarity AS polarity
ORDER BY size(sources) DESC, score DESC, side_effect LIMIT $limit
