"""How a task is put to a model. Never sees a checklist, a reference or a hidden file. Start with `solvers.solver`."""
