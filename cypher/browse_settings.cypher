// Where the server says Neo4j Browser is, and whether it asks for a password; for users who may see settings.
// Result: a row each: name, value.
SHOW SETTINGS 'server.http.enabled', 'server.http.advertised_address', 'server.https.enabled',
  'server.https.advertised_address', 'dbms.security.auth_enabled'
YIELD name, value
RETURN name, value
