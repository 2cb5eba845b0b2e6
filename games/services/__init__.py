"""Every write to what is played."""
