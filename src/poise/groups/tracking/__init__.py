"""Clips that are followed by the program of a group: who follows, what of a clip a body can do, and the tasks of it."""
