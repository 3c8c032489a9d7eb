"""What happens to records: loaded, compared, written, kept, withdrawn, undone."""
