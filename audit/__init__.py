"""IS THE GRAPH'S CONTENT SOUND: checks that read, each finding with an id that stays the same."""
