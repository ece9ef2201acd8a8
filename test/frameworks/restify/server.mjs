import restify from 'restify';

const server = restify.createServer();
const plants = [];

server.use(restify.plugins.bodyParser({ mapParams: false }));

server.post('/plants', (request, response, next) => {
  if (request.header('Authorization') !== `Bearer ${process.env.TOKEN}`) {
    response.send(401, { error: 401, message: 'Unauthorized' });
    return next();
  }
  const { name, id, tag } = request.body ?? {};
  if (typeof name !== 'string' || !Number.isInteger(id)) {
    response.send(400, { error: 1, message: 'name and id are required' });
    return next();
  }
  if (tag !== undefined && typeof tag !== 'string') {
    response.send(400, { error: 2, message: 'tag must be a string' });
    return next();
  }
  plants.push({ name, id, tag });
  response.send({ name, tag });
  return next();
});

server.listen(process.env.PORT);
