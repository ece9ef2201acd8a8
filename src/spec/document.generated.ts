// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
export const document = {
  "openapi": "3.0.3",
  "info": {"title":"Plant Store","description":"A plant store. A client creates a plant by sending a plant record over HTTP with a JSON body.","version":"1.0.0","license":{"name":"MIT"}},
  "security": [{"bearerAuth":[]}],
  "paths": {"/plants":{"post":{"operationId":"createPlant","summary":"Creates a new plant in the store","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/NewPlant"}}}},"responses":{"200":{"description":"The plant response","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Plant"}}}},"400":{"description":"Unexpected error","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}}}}}},
  "components": {"schemas":{"Plant":{"type":"object","required":["name"],"properties":{"name":{"description":"The name of the plant","type":"string"},"tag":{"description":"Tag that specifies the type of the plant","type":"string"}}},"NewPlant":{"allOf":[{"$ref":"#/components/schemas/Plant"},{"type":"object","required":["id"],"properties":{"id":{"description":"Identification number of the plant","type":"integer","format":"int64"}}}]},"Error":{"type":"object","required":["error","message"],"properties":{"error":{"type":"integer","format":"int32"},"message":{"type":"string"}}}},"securitySchemes":{"bearerAuth":{"type":"http","scheme":"bearer"}}},
} as const;
