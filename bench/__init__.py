"""Speed, as ratios within one run: figures of two machines, or of two days, do not compare."""
