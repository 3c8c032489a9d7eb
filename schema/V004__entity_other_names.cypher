// What finds an entity without being its name, apart from the names that questions are linked by: "heart disease" may be a
// broader word for a disease, and is none of its names.
CREATE FULLTEXT INDEX entity_other_name IF NOT EXISTS
FOR (n:Entity) ON EACH [n.narrow_synonyms, n.broad_synonyms, n.related_synonyms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
// Ids are taken whole.
CREATE FULLTEXT INDEX entity_other_id IF NOT EXISTS
FOR (n:Entity) ON EACH [n.alternative_ids, n.xrefs]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: true}};
