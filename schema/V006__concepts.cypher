// What curators decided on equivalences outlives the entities that it is about, which loads may remove and bring again.
CREATE CONSTRAINT review_id IF NOT EXISTS FOR (n:Review) REQUIRE n.id IS UNIQUE;
CREATE INDEX review_status IF NOT EXISTS FOR (n:Review) ON (n.status);
// What has not been linked yet, or by other names, is found without reading everything.
CREATE INDEX section_linked IF NOT EXISTS FOR (n:Section) ON (n.linked);
