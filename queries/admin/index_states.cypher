// name: index_states
// Every index with its state, and how far it has populated.
// returns: name, type, state, percent
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type, state, populationPercent AS percent
