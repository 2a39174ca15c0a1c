"""Whether a judge's reason quotes the output."""


def quotes_output(reason: str, output: str) -> bool:
    return any(part in output for part in reason.split("'")[1::2] if len(part) >= len("word"))
