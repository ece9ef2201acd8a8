// @ts-check
// A provider that starts as its arguments say: PORT [name=value…]. It returns what every rule of "failure" wants.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , port = '0', ...given] = process.argv;
const options = new Map(given.map((one) => /** @type {[string, string]} */ (one.split('='))));
const started = performance.now();

/** A process that SIGTERM does not end. */
const stubborn = options.get('stubborn');
if (stubborn !== undefined) {
  const code = `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(stubborn)}, String(process.pid)); setInterval(() => {}, 1000)`;
  spawn(process.execPath, ['-e', code], { stdio: 'ignore' }).unref();
  while (!existsSync(stubborn)) await sleep(5);
}
if (options.has('ignores-sigterm')) process.on('SIGTERM', () => {});
if (options.has('pid')) writeFileSync(String(options.get('pid')), String(process.pid));
process.stdout.write(`${options.get('says') ?? 'listening'}\n`);
if (options.has('exits')) process.exit(Number(options.get('exits')));
const sign = options.get('fails-after');
while (sign !== undefined) {
  if (existsSync(sign)) process.exit(2);
  await sleep(5);
}

let requests = 0;
const server = createServer((request, response) => {
  const log = options.get('log');
  if (log !== undefined) writeFileSync(log, `${request.method}\n`, { flag: 'a' });
  if (++requests > Number(options.get('dies-after') ?? Number.POSITIVE_INFINITY)) process.exit(7);
  const isStarting = performance.now() - started < Number(options.get('unavailable-ms') ?? 0);
  request.resume().on('end', () => {
    response.statusCode = isStarting ? 503 : 400;
    response.setHeader('content-type', 'application/json');
    response.end('{"error":1,"message":"no"}');
  });
});
if (!options.has('never'))
  setTimeout(() => server.listen(Number(port), '127.0.0.1'), Number(options.get('late-ms') ?? 0));
setInterval(() => {}, 1000);
