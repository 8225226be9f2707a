"""The benchmark commands: one module each, with a function of the module's name that is the command."""
