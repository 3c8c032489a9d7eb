// name: ordinary_names
// Words in texts that stand for a concept, and are words of everyday English: one or two words, how usual they are, and where they stand.
// :param source => ''
// :param examples => 5
// mends: look at the contexts, and add the words that are no name there to never.tsv in the data folder; then run medgraph index links
// fault: MATCH (s:Section)-[:HAS_CHUNK]->(k:Chunk) WITH s, k LIMIT 1 MERGE (c:Concept {cui: 'C0013080'}) SET c.name = 'Down syndrome' CREATE (k)-[:MENTIONS {surface: 'down', start: 0, end: 4, method: 'name'}]->(c)
// returns: surface, concept, name, count, examples
MATCH (s:Section)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(c:Concept)
WHERE ($source = '' OR s.source = $source) AND m.method <> 'coreference' AND m.surface =~ '(?i)[a-z]+(?:\\s[a-z]+)?'
WITH toLower(m.surface) AS surface, c, s, m ORDER BY s.id, m.start
WITH surface, c, count(*) AS count, collect({section: s, start: m.start, end: m.end})[..$examples] AS places
RETURN surface, c.cui AS concept, coalesce(c.name, c.cui) AS name, count,
       [p IN places | p.section.id + ': ' + substring(p.section.text, CASE WHEN p.start > 40 THEN p.start - 40 ELSE 0 END,
                                                      p.end - CASE WHEN p.start > 40 THEN p.start - 40 ELSE 0 END + 40)] AS examples
ORDER BY surface, concept
