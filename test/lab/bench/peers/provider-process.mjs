// One provider in a process of its own, which counts the requests that it gets:
// `node provider-process.mjs <token> fault <name>` or `node provider-process.mjs <token> correct <name> <module>`. The module
// is test/conformance/providers/correct/all.ts as JavaScript. A fault without a name is the reference server.
import { subscribe } from 'node:diagnostics_channel';
import { startPlantStore } from 'plant-store-contract/server';

let requests = 0;
// Before any handler, so it also counts requests that the provider resets or never responds to.
subscribe('http.server.request.start', () => {
  requests++;
});
process.on('message', () => process.send({ requests }));

const [token, kind, name, module] = process.argv.slice(2);
const { url } =
  kind === 'fault'
    ? await startPlantStore({ token, faults: name === '' ? [] : [name] })
    : await (await import(module)).startByName(token, name);
process.send({ url });
