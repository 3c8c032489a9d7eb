// name: server_page_cache
// The server's page cache, as its configuration writes it.
// returns: size
SHOW SETTINGS YIELD name, value
WHERE name = 'server.memory.pagecache.size'
RETURN value AS size
