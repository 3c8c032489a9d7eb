// name: drop_index
// Drops an index by its name, so that it can be made anew.
// :param name => 'section_chunked'
// returns:
DROP INDEX $name IF EXISTS
