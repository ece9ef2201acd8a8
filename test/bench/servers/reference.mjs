import { startPlantStore } from 'plant-store-contract/server';

const delayMs = Number(process.argv[2] ?? 0);
const store = await startPlantStore({ token: 'bench-token', delayMs });
process.stdout.write(`${store.port}\n`);
