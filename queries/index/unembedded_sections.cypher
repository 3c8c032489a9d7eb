// name: unembedded_sections
// The next sections whose sentences to embed, in the order of their ids, with one whose sentences have vectors already, because another
// label says the same.
// :param model => '1:all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 200
// returns: id, title, text, twin
MATCH (s:Section)
WHERE s.id > $after AND (s.sentence_model IS NULL OR s.sentence_model <> $model)
RETURN s.id AS id, s.title AS title, s.text AS text,
       COLLECT { MATCH (t:Section {voice: s.voice})
                 WHERE t.sentence_model = $model AND t.title = s.title AND t.text = s.text RETURN t.id LIMIT 1 }[0] AS twin
ORDER BY s.id LIMIT $limit
