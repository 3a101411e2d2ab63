"""How an elbow swivels while its hand is led."""
