"""What touches USD itself. It runs in a child process and imports nothing of Poise outside this folder."""
