// Concepts are found by their name in small letters, whichever way a source writes it; an index finds it at once.
CYPHER 25
MATCH (c:Concept)
WHERE c.name IS NOT NULL
CALL (c) {
  SET c.folded_name = toLower(c.name)
} IN TRANSACTIONS OF 10000 ROWS;
CREATE INDEX concept_folded_name IF NOT EXISTS FOR (n:Concept) ON (n.folded_name);
// Documents of which nobody says when they came out have no date; filters compare those of their parts.
CYPHER 25
MATCH (d:Document)
WHERE d.published = ''
CALL (d) {
  REMOVE d.published
} IN TRANSACTIONS OF 10000 ROWS;
