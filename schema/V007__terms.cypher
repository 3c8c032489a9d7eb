// Phrases that no vocabulary has: one node a phrase, whatever sections tell of it.
CREATE CONSTRAINT term_id IF NOT EXISTS FOR (n:Term) REQUIRE n.id IS UNIQUE;
