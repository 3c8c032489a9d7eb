// How kept answers came about; each of their claims names the documents that it rests on, which may be taken back later.
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
MATCH (c:Claim)-[:SUPPORTED_BY]->(k:Chunk)
WITH c, collect(DISTINCT k.document) AS documents
SET c.documents = documents;
