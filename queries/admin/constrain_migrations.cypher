// name: constrain_migrations
// Keeps one record a migration, also when several processes apply them at once; made before the first one.
// returns:
CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (n:Migration) REQUIRE n.version IS UNIQUE
