import { startPlantStore } from 'plant-store-contract/server';

const store = await startPlantStore({ token: 'bench-token' });
process.stdout.write(`${store.port}\n`);
