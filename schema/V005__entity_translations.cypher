// Names in other languages, each with its language: they find an entity, and no question is linked by them.
CREATE FULLTEXT INDEX entity_translation IF NOT EXISTS
FOR (n:Entity) ON EACH [n.translations]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
