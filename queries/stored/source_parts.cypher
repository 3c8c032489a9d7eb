// name: source_parts
// The parts of a source, and the source itself.
// :param source => 'umls'
// returns: id
MATCH (s:Source)
WHERE s.id = $source OR s.part_of = $source
RETURN s.id AS id
ORDER BY id
