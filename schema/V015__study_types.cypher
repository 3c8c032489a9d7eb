// What kind of study documents are, as publication types or article types say: filters by it begin with the documents.
CREATE FULLTEXT INDEX document_study IF NOT EXISTS
FOR (n:Document) ON EACH [n.publication_types, n.article_type]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
