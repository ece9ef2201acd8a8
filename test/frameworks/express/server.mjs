import express from 'express';

const app = express();
app.use(express.json());

const plants = [];

function authenticate(request, response, next) {
  if (request.get('Authorization') === `Bearer ${process.env.TOKEN}`) return next();
  response.status(401).json({ error: 401, message: 'Unauthorized' });
}

app.post('/plants', authenticate, (request, response) => {
  const { name, id, tag } = request.body ?? {};
  if (typeof name !== 'string')
    return response.status(400).json({ error: 1, message: 'name must be a string' });
  if (!Number.isInteger(id)) return response.status(400).json({ error: 2, message: 'id must be an integer' });
  if (tag !== undefined && typeof tag !== 'string')
    return response.status(400).json({ error: 3, message: 'tag must be a string' });
  plants.push({ name, id, tag });
  response.json({ name, tag });
});

app.listen(process.env.PORT);
