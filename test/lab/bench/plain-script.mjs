// Sends as many plants as a check sends requests, six at once on kept connections, and reads the responses: what any program
// needs that sends so many. Arguments: the URL of the provider, and a number.
import { Agent, request } from 'node:http';

const [url, count] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 6 });
const left = Array.from({ length: Number(count) }, (_, at) => at).values();
const first = Math.floor(Math.random() * 2 ** 31) * 2 ** 10;

function send(at) {
  const body = JSON.stringify({ name: 'Aloe', id: first + at });
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer bench-token', 'content-type': 'application/json' };
    const sent = request(`${url}/plants`, { method: 'POST', agent, headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`the response is ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.end(body);
  });
}

async function sendNext() {
  for (const at of left) await send(at);
}

await Promise.all(Array.from({ length: 6 }, sendNext));
agent.destroy();
