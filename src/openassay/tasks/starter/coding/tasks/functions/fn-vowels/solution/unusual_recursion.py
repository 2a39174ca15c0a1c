class Count(int):
    """A number that can say what it counts."""

    def __str__(self):
        return f"{int(self)} vowels"


def count_vowels(text):
    if not text:
        return Count(0)
    middle = len(text) // 2
    if middle == 0:
        return Count(text in "aeiou")
    return Count(count_vowels(text[:middle]) + count_vowels(text[middle:]))
