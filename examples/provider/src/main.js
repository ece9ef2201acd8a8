import { createApp } from './app.js';

const { PORT = '3000', PLANT_STORE_TOKEN: token } = process.env;
if (!token) throw new Error('PLANT_STORE_TOKEN is not set');

const server = createApp(token).listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
