import re


class VowelCounter:
    def __init__(self, pattern):
        self._pattern = re.compile(pattern)

    def __call__(self, text):
        return len(self._pattern.findall(text))


count_vowels = VowelCounter("[aeiou]")
