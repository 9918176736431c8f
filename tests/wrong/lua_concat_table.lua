print("shape: " .. {1, 2})
