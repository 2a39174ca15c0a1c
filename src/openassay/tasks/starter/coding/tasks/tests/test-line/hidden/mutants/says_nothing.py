"""People who wait for their turn."""


class Line:
    """A waiting line with a number of places."""

    def __init__(self, places):
        self._places = places
        self._waiting = []

    def __len__(self):
        """How many are waiting."""
        return len(self._waiting)

    def join(self, name):
        """Go to the end of the line and return True; where every place is taken, change nothing and return False."""
        if len(self._waiting) >= self._places:
            return False
        self._waiting.append(name)

    def call(self):
        """Remove the one who has waited longest and return the name; None where nobody waits."""
        return self._waiting.pop(0) if self._waiting else None
