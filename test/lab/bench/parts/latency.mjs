import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, told } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';
import { COMMAND_LINE } from '../timed.mjs';

/** What the network adds to a request, in milliseconds, and the target in seconds. */
const LATENCIES = [
  { ms: 0 },
  { ms: 20 },
  { ms: 100, within: 5 },
  { ms: 300, within: 12 },
  { ms: 1_500, within: 45 },
];
const CHECKS = 3;

/**
 * A `plant-store-contract check` of the reference server behind a pipe that delays bytes.
 *
 * @param {string} commandLine the path of the command line: that of another build, to compare two
 */
export async function latency(commandLine = COMMAND_LINE) {
  const rows = [];
  for (const { ms, within } of LATENCIES) {
    const checks = [];
    for (let check = 0; check < CHECKS; check++) checks.push(await checked(commandLine, ms));
    rows.push(rowOf(ms, within, checks));
  }
  return rows;
}

/** Checks a new server, and counts. */
async function checked(commandLine, ms) {
  const server = await startServer(serverScript('reference'));
  const pipe = await startPipe(server.port, ms / 2);
  const start = performance.now();
  const url = `http://127.0.0.1:${pipe.port}`;
  const argv = [commandLine, 'check', url, '--token', 'bench-token', '--reporter', 'json'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const [report, [status]] = await Promise.all([jsonFrom(child.stdout), exited]);
  const seconds = (performance.now() - start) / 1_000;
  pipe.stop();
  await server.stop();
  const requests = report.exchanges.filter(({ failure }) => failure?.kind !== 'not-sent').length;
  const ownSeconds = report.durationMs / 1_000;
  return { seconds, ownSeconds, requests, connections: pipe.connections(), status };
}

async function jsonFrom(stream) {
  return JSON.parse(Buffer.concat(await stream.toArray()).toString());
}

/** A pipe in front of a server that delays the bytes of both directions, and counts connections. */
async function startPipe(port, delayMs) {
  let count = 0;
  const sockets = new Set();
  const pipe = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    count++;
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      sockets.add(from);
      from.on('data', (bytes) => void later(delayMs, () => to.write(bytes)));
      from.on('end', () => void later(delayMs, () => to.end()));
      from.on('error', () => to.destroy());
    }
  });
  pipe.listen(0, '127.0.0.1');
  await once(pipe, 'listening');
  return {
    port: pipe.address().port,
    connections: () => count,
    stop() {
      pipe.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function later(ms, act) {
  if (ms > 0) await sleep(ms);
  act();
}

function rowOf(ms, within, checks) {
  const middle = (of) => median(checks.map(of));
  // A network delays the check, and not the start of its process.
  const seconds = checks.map((one) => one.ownSeconds).toSorted((a, b) => a - b);
  const statuses = new Set(checks.map(({ status }) => status));
  const requests = middle((one) => one.requests);
  const connections = middle((one) => one.connections);
  const whole = middle((one) => one.seconds).toFixed(2);
  return told({
    what: `plant-store-contract check of the reference server, ${ms} ms away`,
    ratio: `${median(seconds).toFixed(2)} s`,
    range: `${seconds[0].toFixed(2)}–${seconds.at(-1).toFixed(2)}`,
    target: within === undefined ? '' : `≤ ${within.toFixed(1)} s`,
    met: within === undefined ? '' : median(seconds) <= within ? 'yes' : 'no',
    absolute: `${whole} s with its process, ${requests} requests, ${connections} connections, status ${[...statuses].join(' or ')}`,
  });
}
