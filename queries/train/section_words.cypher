// name: section_words
// Titles and texts of a source's sections, to count words in.
// :param source => 'medquad'
// :param after => ''
// :param limit => 1000
// returns: id, title, text
MATCH (s:Section {source: $source})
WHERE s.id > $after
RETURN s.id AS id, coalesce(s.title, '') AS title, s.text AS text
ORDER BY id LIMIT $limit
