"""What brings a limited chain the last millimetres: damped least squares on joint angles, inside their limits."""
