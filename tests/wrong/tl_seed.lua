tl.manual_seed("today")
