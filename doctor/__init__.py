"""IS THE INSTALLATION SOUND: this machine, the server, the schema, vectors and loads; it changes and starts nothing."""
