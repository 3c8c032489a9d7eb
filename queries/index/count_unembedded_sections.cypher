// name: count_unembedded_sections
// How many sections have no vectors of their sentences, or some of another encoder or cut.
// :param model => '1:all-MiniLM-L6-v2'
// returns: sections
MATCH (s:Section)
WHERE s.sentence_model IS NULL OR s.sentence_model <> $model
RETURN count(*) AS sections
