"""Talking to engines outside, in their words and in ours."""
