// name: genes_of
// Genes that have to do with a disease, with the relation and who says so; what most say first.
// :param disease => 'Gout'
// :param limit => 50
// returns: gene, relation, sources, sections, score
MATCH (d:Concept&Disease)-[r]-(g:Concept&Gene)
USING SCAN d:Concept
WHERE toLower($disease) IN d.names
RETURN g.name AS gene, type(r) AS relation, r.sources AS sources, r.section_count AS sections, r.score AS score
ORDER BY size(sources) DESC, sections DESC, score DESC, gene LIMIT $limit
