"""The service: a thin Flask application over search and answers, its problem details, its description and its page."""
