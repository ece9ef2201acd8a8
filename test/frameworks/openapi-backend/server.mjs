import express from 'express';
import { OpenAPIBackend } from 'openapi-backend';

const app = express();
app.use(express.json());

const plants = [];
const api = new OpenAPIBackend({ definition: process.env.OPENAPI });
api.registerSecurityHandler(
  'bearerAuth',
  (c) => c.request.headers.authorization === `Bearer ${process.env.TOKEN}`,
);
api.register({
  createPlant: (c, request, response) => {
    const { name, id, tag } = request.body;
    plants.push({ name, id, tag });
    return response.status(200).json({ name, tag });
  },
  validationFail: (c, request, response) => response.status(400).json({ err: c.validation.errors }),
  unauthorizedHandler: (c, request, response) => response.status(401).json({ err: 'unauthorized' }),
  notFound: (c, request, response) => response.status(404).json({ err: 'not found' }),
});
api.init();

app.use((request, response) => api.handleRequest(request, request, response));
app.listen(process.env.PORT);
