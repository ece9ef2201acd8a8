import Ajv from 'ajv';
import bodyParser from 'body-parser';
import polka from 'polka';

const plants = [];
const validate = new Ajv().compile({
  type: 'object',
  required: ['name', 'id'],
  properties: { name: { type: 'string' }, id: { type: 'integer' }, tag: { type: 'string' } },
});

function send(response, status, data) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(data));
}

polka()
  .use(bodyParser.json())
  .post('/plants', (request, response) => {
    if (request.headers.authorization !== `Bearer ${process.env.TOKEN}`)
      return send(response, 401, { error: 401, message: 'Unauthorized' });
    if (!validate(request.body))
      return send(response, 400, { error: 1, message: validate.errors[0].message });
    const { name, id, tag } = request.body;
    plants.push({ name, id, tag });
    send(response, 200, { name, tag });
  })
  .listen(process.env.PORT);
