// name: rank_source
// Notes how much a curator trusts a source.
// :param source => 'medquad'
// :param rank => 2
// returns: id
MATCH (s:Source {id: $source})
SET s.curated_rank = $rank
RETURN s.id AS id
