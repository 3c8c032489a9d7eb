"""Texts that people write for people: PDF, DOCX, HTML, Markdown and plain text."""
