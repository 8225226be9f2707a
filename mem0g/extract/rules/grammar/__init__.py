"""English grammar as far as the rules need it: sentences, dates, people, noun phrases and verb phrases."""
