// name: genes_of
// Genes that have to do with a disease, with the relation and who says so; what most say first.
// :param disease => 'Gout'
// :param limit => 50
// returns: gene, relation, sources, sections, score
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($disease, '\\', ' '), '"', ' ') + '"') YIELD node AS d
WHERE toLower($disease) IN d.names
MATCH (d:Concept&Disease)-[r]-(g:Concept&Gene)
RETURN g.name AS gene, type(r) AS relation, r.sources AS sources, r.section_count AS sections, r.score AS score
ORDER BY size(sources) DESC, sections DESC, score DESC, gene LIMIT $limit
