// name: one_name_several_concepts
// Names by which sources call different concepts: what people must be asked about, and where two things may be one.
// :param limit => 25
// returns: name, concepts, titles, labels, sources
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE NOT coalesce(e.obsolete, false)
WITH e, c ORDER BY c.cui, e.id
WITH toLower(e.name) AS name, c, reduce(all = [], part IN collect(coalesce(e.sources, [])) | all + [s IN part WHERE NOT s IN all]) AS sources
WITH name, collect({c: c, sources: sources}) AS rows
WHERE size(rows) > 1
RETURN name, [row IN rows | row.c.cui] AS concepts, [row IN rows | row.c.name] AS titles,
       [row IN rows | [l IN labels(row.c) WHERE l <> 'Concept'][0]] AS labels, [row IN rows | row.sources] AS sources
ORDER BY size(rows) DESC, name LIMIT $limit
