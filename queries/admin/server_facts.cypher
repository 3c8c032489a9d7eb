// name: server_facts
// The server's version and edition.
// returns: version, edition
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
