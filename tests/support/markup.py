"""Marked texts of any nesting, for properties of what writes them as lines."""

from hypothesis import strategies as st

WORDS = st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=3).map(" ".join)


def nested(*frames):
    """Paragraphs of short words, and frames such as `<div>{}</div>` around some of them."""
    return st.recursive(
        WORDS.map(lambda said: f"<p>{said}</p>"),
        lambda inner: st.builds(
            lambda frame, some: frame.format("".join(some)), st.sampled_from(frames), st.lists(inner, max_size=3)
        ),
        max_leaves=12,
    )
