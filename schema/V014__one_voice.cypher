// Sections of labels whose text is the same but for names, numbers of products and addresses are found by what they say.
CREATE INDEX section_voice IF NOT EXISTS FOR (n:Section) ON (n.voice);
