-- What version 5 of the layout adds: the extractor's short clause of a fact, the last day on which it was said to hold, and
-- the day or period that a plan is for (both at their precision, as valid_from).
ALTER TABLE fact ADD COLUMN brief TEXT;
ALTER TABLE fact ADD COLUMN observed TEXT;
ALTER TABLE fact ADD COLUMN planned_for TEXT;
