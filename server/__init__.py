"""THE EMBEDDED NEO4J: its jars, configuration, process, start-up and stopped store."""
