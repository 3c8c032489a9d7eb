// name: described_in
// Sections that say what concepts are, for each the one of the source whose word goes first.
// :param ids => ["C0018099", "C0004096"]
// returns: id, section
UNWIND range(0, size($ids) - 1) AS place
MATCH (c:Concept {cui: $ids[place]})-[:DESCRIBED_IN]->(p:Section)
OPTIONAL MATCH (s:Source {id: p.source})
WITH place, c, p ORDER BY place, coalesce(s.standing, '~'), p.id
WITH place, c.cui AS id, collect(p.id)[0] AS section
RETURN id, section ORDER BY place
