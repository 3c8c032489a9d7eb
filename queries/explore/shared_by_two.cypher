// name: shared_by_two
// What two diseases have in common: symptoms, causes, treatments and the kinds that both are of, what most voices say of
// both first. The kind that everything is of is left out.
// :param first => 'Type 1 diabetes'
// :param second => 'Type 2 diabetes'
// :param limit => 25
// returns: relation, shared, sections, sources
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($first, '\\', ' '), '"', ' ') + '"') YIELD node AS a
WHERE toLower($first) IN a.names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($second, '\\', ' '), '"', ' ') + '"') YIELD node AS b
WHERE toLower($second) IN b.names
MATCH (a:Concept&Disease)-[r]->(x:Concept|Term)<-[s]-(b:Concept&Disease)
WHERE a <> b AND type(r) = type(s)
  AND (EXISTS { (x)-[:IS_A]->() } OR NOT EXISTS { (x)<-[:IS_A]-()<-[:IS_A]-()<-[:IS_A]-() })
RETURN type(r) AS relation, x.name AS shared, r.section_count + s.section_count AS sections,
       r.sources + [source IN s.sources WHERE NOT source IN r.sources] AS sources
ORDER BY relation, size(r.sources) + size(s.sources) DESC, sections DESC, shared LIMIT $limit
