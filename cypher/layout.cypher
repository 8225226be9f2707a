// Record the version of the layout. Parameters: layout.
MERGE (m:Mem0g {id: 'store'}) ON CREATE SET m.created_at = datetime()
SET m.layout = $layout
