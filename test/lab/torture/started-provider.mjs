// @ts-check
// A provider that a command starts: node started-provider.mjs PORT. It responds late, and has a process that SIGTERM does
// not end.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' }).unref();
process.on('SIGTERM', () => {});

createServer((request, response) => {
  request.resume().on('end', () =>
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end('{"name":"Aloe"}');
    }, 300),
  );
}).listen(Number(process.argv[2]), '127.0.0.1');
