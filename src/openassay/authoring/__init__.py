"""Makes and proves tasks: mutants of a solution, cheats that must never pass, evidence in the task's folder."""
