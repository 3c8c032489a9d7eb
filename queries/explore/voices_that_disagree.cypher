// name: voices_that_disagree
// Who disagrees: what some voices say treats or prevents a condition, and others that it causes it, makes it worse, or must be avoided.
// :param limit => 25
// returns: condition, what, says, said_by, against, denied_by
MATCH (c:Concept)-[yes:TREATED_BY|PREVENTED_BY {polarity: 'contested'}]->(x:Concept)-[no:CAUSED_BY|HAS_RISK_FACTOR|WORSENED_BY|CONTRAINDICATED_WITH|HAS_SIDE_EFFECT {polarity: 'contested'}]-(c)
WHERE (startNode(no) = x) = (type(no) = 'HAS_SIDE_EFFECT')
RETURN c.name AS condition, x.name AS what, type(yes) AS says, yes.sources AS said_by, type(no) AS against, no.sources AS denied_by
ORDER BY size(said_by) + size(denied_by) DESC, condition, what, says, against LIMIT $limit
