// name: write_source
// Stores a part of a source, such as a vocabulary of the UMLS, with facts of its own.
// :param facts => {id: 'umls-msh', title: 'MeSH in the UMLS', version: '2026', licence: '', url: '', citation: '', rank: 1}
// :param whole => 'umls'
// :param standing => ' 1 5'
// returns:
MERGE (s:Source {id: $facts.id})
ON CREATE SET s.standing = $standing
SET s += $facts, s.part_of = $whole
