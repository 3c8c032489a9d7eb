// name: unsettled_sources
// Sources whose standing is not the one by which the entities that they share with others were summarised.
// :param sources => ['medquad']
// returns: id, standing
MATCH (s:Source)
WHERE s.id IN $sources
WITH s, reduce(all = '', prefix IN coalesce(s.prefixes, []) | all + prefix + ' ') + coalesce(s.released, '') + ' '
        + toString(coalesce(s.rank, 5)) + ' ' + toString(coalesce(s.curated_rank, 5)) AS standing
WHERE coalesce(s.standing, '') <> standing
RETURN s.id AS id, standing
