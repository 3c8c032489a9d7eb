// name: first_content
// Something that the graph holds beside its schema, if there is anything.
// returns: label
MATCH (n)
WHERE NOT n:Migration AND NOT n:Encoder
RETURN labels(n)[0] AS label
LIMIT 1
