"""Chats as people write them: questions with the words that answer, and sentences with the dates they mean."""
