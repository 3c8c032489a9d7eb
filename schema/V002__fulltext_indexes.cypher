// Text that people search: fields apart, since a match in a title or question counts for more than one in the text.
// Source, collection, type and date are there so that filters run inside the index.
CREATE FULLTEXT INDEX section_text IF NOT EXISTS
FOR (n:Section) ON EACH [n.title, n.aliases, n.question, n.heading, n.text, n.source, n.collection, n.type, n.published]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
CREATE FULLTEXT INDEX question_text IF NOT EXISTS
FOR (n:Question) ON EACH [n.text, n.source, n.collection, n.type, n.published]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
// Names keep their little words: "Vitamin A deficiency" is not "vitamin deficiency".
CREATE FULLTEXT INDEX entity_name IF NOT EXISTS
FOR (n:Entity) ON EACH [n.name, n.synonyms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
