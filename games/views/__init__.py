"""Thin views."""
