"""Many tenants in one store, and every way to read it: does one see what is another's?"""
