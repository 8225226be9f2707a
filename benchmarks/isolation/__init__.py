"""Many tenants in one store, and all ways to read it: none may return data of another tenant."""
