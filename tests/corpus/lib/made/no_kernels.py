raise ValueError("runs only where it is named")
