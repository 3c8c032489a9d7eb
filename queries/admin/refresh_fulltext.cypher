// name: refresh_fulltext
// Waits until the full-text indexes know everything that was committed.
// returns:
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
