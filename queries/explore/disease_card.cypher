// name: disease_card
// One disease at a glance: for each kind of relation what it has, what most voices say first, with how many there are.
// :param name => 'Asthma'
// :param limit => 10
// returns: disease, names, relation, things, count, sources
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS d
WHERE toLower($name) IN d.names
MATCH (d:Concept&Disease)-[r]->(x:Concept|Term)
WHERE (type(r) <> 'IS_A' OR EXISTS { (x)-[:IS_A]->() } OR NOT EXISTS { (x)<-[:IS_A]-()<-[:IS_A]-()<-[:IS_A]-() })
WITH d, r, x ORDER BY size(r.sources) DESC, r.section_count DESC, r.score DESC, x.name
WITH d, type(r) AS relation, collect(x.name) AS things, collect(r.sources) AS sources
RETURN d.name AS disease, d.names AS names, relation, things[..$limit] AS things, size(things) AS count,
       reduce(all = [], part IN sources | all + [s IN part WHERE NOT s IN all]) AS sources
ORDER BY disease, count DESC, relation
