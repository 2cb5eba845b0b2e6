"""Every read that depends on who is looking."""
