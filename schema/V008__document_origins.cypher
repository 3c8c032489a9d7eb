// By whom and where documents came out, and under which headings: filters by these begin with the documents.
CREATE FULLTEXT INDEX document_origin IF NOT EXISTS
FOR (n:Document) ON EACH [n.authors, n.journal, n.mesh_headings]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};
