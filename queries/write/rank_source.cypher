// name: rank_source
// Notes how much a curator trusts a source and its parts.
// :param source => 'medquad'
// :param rank => 2
// returns: id
MATCH (:Source {id: $source})
MATCH (s:Source) WHERE s.id = $source OR s.part_of = $source
SET s.curated_rank = $rank
RETURN s.id AS id
