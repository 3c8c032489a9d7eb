// name: drop_former
// Forgets what was restored.
// :param elements => ['an element id']
// returns:
UNWIND $elements AS element
MATCH (f:Former) WHERE elementId(f) = element
DETACH DELETE f
