// name: source_voices
// Whose word sources are: what each is called, what it has in common with those that are no voices of their own beside it
// (the source it is a part of, or the home page), and whether it is a table that no curator trusts: ranks above 5 are doubts.
// :param ids => ['medquad']
// returns: id, title, voice, uncurated
UNWIND $ids AS id
MATCH (s:Source {id: id})
OPTIONAL MATCH (w:Source {id: s.part_of})
WITH s, coalesce(w, s) AS whole
RETURN s.id AS id, coalesce(s.title, '') AS title, CASE coalesce(whole.url, '') WHEN '' THEN whole.id ELSE whole.url END AS voice,
       coalesce(s.table, whole.table, false) AND coalesce(s.curated_rank, whole.curated_rank, 6) > 5 AS uncurated
