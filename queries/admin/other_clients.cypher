// name: other_clients
// How many connections of medgraph are open to the server, but for those of the program that asks.
// :param own => 'medgraph doctor'
// returns: connections
CALL dbms.listConnections() YIELD userAgent
WHERE userAgent STARTS WITH 'medgraph' AND userAgent <> $own
RETURN count(*) AS connections
