"""ROUTES: one file a resource, with what it takes, what it gives and the routes themselves; `registry` finds them."""
