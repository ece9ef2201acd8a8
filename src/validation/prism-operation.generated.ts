// Generated from spec/openapi.yaml by `npm run generate`, with the parser of Prism. Do not edit.
export const operation = {
  "id": "da6421bd52146",
  "method": "post",
  "path": "/plants",
  "tags": [],
  "extensions": {},
  "iid": "createPlant",
  "summary": "Creates a new plant in the store",
  "securityDeclarationType": "inheritedFromService",
  "responses": [{"id":"cd0d3c8ffd63c","code":"200","headers":[],"contents":[{"id":"9e1edbd55f133","mediaType":"application/json","examples":[],"encodings":[],"schema":{"type":"object","required":["name"],"properties":{"name":{"description":"The name of the plant","type":"string"},"tag":{"description":"Tag that specifies the type of the plant","type":"string"}},"$schema":"http://json-schema.org/draft-07/schema#","x-stoplight":{"id":"ef67fd059b9cd"}}}],"description":"The plant response"},{"id":"926d3d3886257","code":"400","headers":[],"contents":[{"id":"e3ea34802d734","mediaType":"application/json","examples":[],"encodings":[],"schema":{"type":"object","required":["error","message"],"properties":{"error":{"type":"integer","format":"int32","x-stoplight":{"explicitProperties":["type","format"]},"minimum":-2147483648,"maximum":2147483647},"message":{"type":"string"}},"$schema":"http://json-schema.org/draft-07/schema#","x-stoplight":{"id":"e4fa83da6b854"}}}],"description":"Unexpected error"}],
  "request": {"body":{"id":"850e1afc089a3","contents":[{"id":"079a3931bda35","mediaType":"application/json","examples":[],"encodings":[],"schema":{"allOf":[{"type":"object","required":["name"],"properties":{"name":{"description":"The name of the plant","type":"string"},"tag":{"description":"Tag that specifies the type of the plant","type":"string"}}},{"type":"object","required":["id"],"properties":{"id":{"description":"Identification number of the plant","type":"integer","format":"int64","x-stoplight":{"explicitProperties":["description","type","format"]},"minimum":-9007199254740991,"maximum":9007199254740991}}}],"$schema":"http://json-schema.org/draft-07/schema#","x-stoplight":{"id":"fe8f91fe0050a"}}}],"required":true},"headers":[],"query":[],"cookie":[],"path":[]},
  "security": [[{"id":"c5cdcabee3c00","key":"bearerAuth","extensions":{},"type":"http","scheme":"bearer"}]],
  "servers": [],
};
