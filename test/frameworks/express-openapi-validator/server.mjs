import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

const app = express();
const plants = [];

app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: process.env.OPENAPI,
    validateSecurity: {
      handlers: { bearerAuth: (request) => request.get('Authorization') === `Bearer ${process.env.TOKEN}` },
    },
  }),
);

app.post('/plants', (request, response) => {
  const { name, id, tag } = request.body;
  plants.push({ name, id, tag });
  response.json({ name, tag });
});

app.use((error, request, response, next) => {
  response.status(error.status || 500).json({ message: error.message, errors: error.errors });
});

app.listen(process.env.PORT);
