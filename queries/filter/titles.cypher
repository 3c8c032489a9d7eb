// name: titles
// The titles that some sections stand under, by which the full-text index can be asked for these.
// :param ids => ['sample:gout#1']
// returns: title
UNWIND $ids AS id
MATCH (s:Section {id: id})
RETURN DISTINCT s.title AS title
ORDER BY title
