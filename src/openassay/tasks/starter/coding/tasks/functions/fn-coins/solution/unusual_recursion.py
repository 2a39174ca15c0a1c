def coins(amount, kinds=(50, 20, 10, 5, 2, 1)):
    match kinds:
        case _ if amount < 0:
            raise ValueError(amount)
        case (largest, *rest):
            count, left = divmod(amount, largest)
            return [largest] * count + coins(left, tuple(rest))
        case _:
            return []
