// name: drop_constraint
// Drops a constraint and its index by its name, so that it can be made anew.
// :param name => 'section_id'
// returns:
DROP CONSTRAINT $name IF EXISTS
