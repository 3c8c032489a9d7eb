// name: record_migration
// Notes that a migration was applied.
// :param version => 1
// :param name => 'constraints'
// :param checksum => 'abc'
// returns:
MERGE (m:Migration {version: $version})
SET m.name = $name, m.checksum = $checksum, m.applied = datetime()
