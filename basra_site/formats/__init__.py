"""How a language writes dates and numbers, where Django's own way is not the readers'."""
