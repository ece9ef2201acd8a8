// Express with express-openapi-validator, both of requests and of responses.
import { fileURLToPath } from 'node:url';
import express from 'express';
import { middleware } from 'express-openapi-validator';

const plants = new Map();
const app = express();
app.use(express.json());
app.use(
  middleware({
    apiSpec: fileURLToPath(new URL('../../../spec/openapi.yaml', import.meta.url)),
    validateResponses: true,
    validateSecurity: {
      handlers: { bearerAuth: (request) => request.get('authorization') === 'Bearer bench-token' },
    },
  }),
);
app.post('/plants', (request, response) => {
  const { id, name, tag } = request.body;
  if (plants.has(id)) {
    response.status(400).json({ error: 409, message: 'there is a plant with this id' });
    return;
  }
  plants.set(id, { id, name, tag });
  response.json({ name, tag });
});
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.status ?? 500, message: error.message });
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
