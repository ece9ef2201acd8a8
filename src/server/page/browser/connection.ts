import { byId, setText } from './dom.js';
import { eventReader } from './read-stream.js';
import type { Batch, Hello } from './wire.js';

/** Kept in this variable only, so that no other page and nothing on this one can read it. */
let token: string | undefined;

const AGAIN_MS = 1_000;

/** Calls the control interface. Throws an error with its sentence if it rejects the call. */
export async function call(method: string, path: string, body?: string): Promise<Response> {
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  if (response.status === 401) void askForToken();
  if (!response.ok) throw new Error(await sentenceIn(response));
  return response;
}

async function sentenceIn(response: Response): Promise<string> {
  const json = (await response.json().catch(() => ({}))) as { readonly message?: string };
  return json.message ?? `the server responded with ${response.status}`;
}

let asking: Promise<void> | undefined;

/** Asks for the token of the control interface, once at a time. */
function askForToken(): Promise<void> {
  asking ??= new Promise((resolve) => {
    const form = byId<HTMLFormElement>('token');
    const input = form.elements.namedItem('token') as HTMLInputElement;
    setText(byId('token-problem'), token === undefined ? '' : 'This token is wrong.');
    form.hidden = false;
    input.focus();
    form.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        token = input.value.trim();
        // It must not stay in the document.
        input.value = '';
        form.hidden = true;
        asking = undefined;
        resolve();
      },
      { once: true },
    );
  });
  return asking;
}

/** Follows the server for as long as the page is open, and connects again when it is lost. */
export async function follow(
  onHello: (hello: Hello) => void,
  onBatch: (batch: Batch) => void,
): Promise<never> {
  for (;;) {
    try {
      const response = await call('GET', '/exchanges/stream');
      showState('live');
      await readAll(response, onHello, onBatch);
      showState('disconnected');
    } catch (problem) {
      showState(asking === undefined ? 'disconnected' : 'needs its token', String(problem));
    }
    if (asking === undefined) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    else await asking;
  }
}

async function readAll(
  response: Response,
  onHello: (hello: Hello) => void,
  onBatch: (batch: Batch) => void,
): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const eventsIn = eventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = eventsIn(decoder.decode(value, { stream: true }));
    if (events === undefined) return;
    for (const { type, json } of events) {
      if (type === 'hello') onHello(JSON.parse(json) as Hello);
      if (type === 'batch') onBatch(JSON.parse(json) as Batch);
    }
  }
}

function showState(state: string, title = ''): void {
  const shown = byId('state');
  setText(shown, state);
  shown.classList.toggle('on', state === 'live');
  shown.title = title;
}
