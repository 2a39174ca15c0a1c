"""A text that remembers its changes."""


class History:
    def __init__(self, text=""):
        self.text = text
        self._before = []
        self._after = []

    def write(self, text):
        """Replace the text by a new one."""
        self._before.append(self.text)
        self.text = text

    def undo(self):
        """Go back one change; at the first text, nothing happens."""
        if self._before:
            self._after.append(self.text)
            self.text = self._before.pop()

    def redo(self):
        """Take back the last undo; where none came after the last write, nothing happens."""
        if self._after:
            self._before.append(self.text)
            self.text = self._after.pop()
