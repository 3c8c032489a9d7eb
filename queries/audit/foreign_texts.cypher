// name: foreign_texts
// The beginnings of sections and definitions in which at most one of the commonest English words stands; those in another
// language are reported.
// :param words => [' the ', ' of ']
// :param characters => 600
// :param source => ''
// mends: leave them out: searching and answering are made for English
// returns: id, source, text
CALL () {
  MATCH (n:Section)
  WHERE $source = '' OR n.source = $source
  RETURN n.id AS id, coalesce(n.source, '') AS source, left(n.text, $characters) AS text
  UNION ALL
  MATCH (s:Source)<-[f:FROM]-(n:Entity)
  WHERE $source = '' OR s.id = $source
  WITH s, n, CASE WHEN f.label IS NULL THEN n.definition ELSE f.definition END AS text
  WHERE text <> ''
  RETURN n.id AS id, s.id AS source, left(text, $characters) AS text
}
WITH id, source, text
WHERE size([word IN $words WHERE text CONTAINS word]) < 2
RETURN id, source, text
ORDER BY source, id
