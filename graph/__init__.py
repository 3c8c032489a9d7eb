"""THE WAY TO THE DATABASE: connection, driver, its errors, and the catalogue of statements."""
