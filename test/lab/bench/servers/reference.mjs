import { startPlantStore } from 'plant-store-contract/server';

const [, , duplicateId = 'reject'] = process.argv;
const store = await startPlantStore({ token: 'bench-token', duplicateId });
process.stdout.write(`${store.port}\n`);
