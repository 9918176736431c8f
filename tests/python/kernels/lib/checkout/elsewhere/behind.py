NAME = "behind"
