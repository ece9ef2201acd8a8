import express from 'express';
import { body, matchedData, validationResult } from 'express-validator';

const app = express();
app.use(express.json());

const plants = [];

app.post(
  '/plants',
  (request, response, next) => {
    if (request.get('Authorization') === `Bearer ${process.env.TOKEN}`) return next();
    response.status(401).json({ error: 401, message: 'Unauthorized' });
  },
  body('name').isString(),
  body('id').isInt(),
  body('tag').optional().isString(),
  (request, response) => {
    const result = validationResult(request);
    if (!result.isEmpty()) return response.status(400).json({ errors: result.array() });
    const { name, id, tag } = matchedData(request);
    plants.push({ name, id, tag });
    response.json({ name, tag });
  },
);

app.listen(process.env.PORT);
