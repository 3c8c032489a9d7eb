// name: server_heap
// The most heap that the server's Java machine may take, in bytes.
// returns: heap
CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes
RETURN attributes.HeapMemoryUsage.value.properties.max AS heap
