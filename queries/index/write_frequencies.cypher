// name: write_frequencies
// How often drugs have their side effects, in per cent, where tables of their labels say so: on the relations of what `stale_heads`
// took up, from the least to the most, with words that say it.
// returns:
MATCH (head:Concept)-[r:HAS_SIDE_EFFECT]->(tail:Concept)
WHERE NOT head.stale
CALL (r, tail) {
  UNWIND coalesce(r.sections, []) AS id
  MATCH (:Section {id: id})-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS {role: 'effect'}]->(tail)
  WHERE m.frequency IS NOT NULL
  WITH m ORDER BY m.frequency
  RETURN collect(DISTINCT m.frequency) AS shares, collect(DISTINCT m.frequency_words)[..5] AS words
}
WITH r, words, [share IN [shares[0]] + CASE WHEN size(shares) > 1 THEN [shares[-1]] ELSE [] END
                | replace(toString(share) + '%', '.0%', '%')] AS ends
WITH r, nullIf(words, []) AS words, CASE WHEN words = [] THEN null ELSE ends[0] + coalesce(' to ' + ends[1], '') END AS frequency
WHERE coalesce(r.frequency_words, []) <> coalesce(words, [])
SET r.frequency = frequency, r.frequency_words = words
