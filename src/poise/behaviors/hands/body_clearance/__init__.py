"""How a hand goes round its own body on its way."""
