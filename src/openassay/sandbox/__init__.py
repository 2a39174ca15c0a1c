"""Runs hostile commands so that nothing of them reaches the machine. Start with `sandbox.Sandbox`."""
