// name: schema_rules
// Every constraint and index of the graph with its state and what it is on; a constraint is shown by its index.
// returns: name, kind, label, properties, state, percent, dimension, failure
SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties, options, owningConstraint, failureMessage
WHERE type <> 'LOOKUP'
RETURN name, CASE WHEN owningConstraint IS NULL THEN type ELSE 'CONSTRAINT' END AS kind, labelsOrTypes[0] AS label, properties,
       state, populationPercent AS percent, options.indexConfig['vector.dimensions'] AS dimension, failureMessage AS failure
ORDER BY name
