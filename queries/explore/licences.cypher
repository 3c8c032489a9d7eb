// name: licences
// What comes under each licence: sources, their parts, and how many documents and entities they tell of.
// returns: licence, sources, documents, entities
MATCH (s:Source)
WITH s, COUNT { (s)<-[:FROM]-(:Document) } AS documents, COUNT { (s)<-[:FROM]-(:Entity) } AS entities
ORDER BY s.id
RETURN CASE coalesce(s.licence, '') WHEN '' THEN '(not stated)' ELSE s.licence END AS licence, collect(s.id) AS sources,
       sum(documents) AS documents, sum(entities) AS entities
ORDER BY licence
