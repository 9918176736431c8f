relu(1)
