import { startPlantStore } from 'plant-store-contract/server';

const [delayMs = 0, duplicateId = 'reject'] = process.argv.slice(2);
const store = await startPlantStore({ token: 'bench-token', delayMs: Number(delayMs), duplicateId });
process.stdout.write(`${store.port}\n`);
