import { startProxy } from 'plant-store-contract/proxy';

const proxy = await startProxy({ upstream: `http://127.0.0.1:${process.argv[2]}` });
process.stdout.write(`${proxy.port}\n`);

process.on('SIGHUP', async () => {
  const { judged } = await proxy.report();
  process.stdout.write(`${judged}\n`);
});
