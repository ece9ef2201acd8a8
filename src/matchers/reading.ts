import { Blob } from 'node:buffer';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';

/** A body that can be read once: what `undici.request` gives, or a message of a fetch that is not that of Node. */
export interface Unread {
  readonly bodyUsed?: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

const readings = new WeakMap<Unread, Promise<Uint8Array>>();

/** The bytes of a body, which can still be read afterwards. Whoever comes second waits for the first. */
export function readOnce(source: Unread): Promise<Uint8Array> {
  const known = readings.get(source);
  if (known !== undefined) return known;
  const reading = readAndKeep(source);
  readings.set(source, reading);
  return reading;
}

/** Whether a body is to be had: one that was read here is. */
export function canBeRead(source: Unread): boolean {
  return readings.has(source) || source.bodyUsed !== true;
}

async function readAndKeep(source: Unread): Promise<Uint8Array> {
  const bytes = new Uint8Array(await source.arrayBuffer());
  keepReadable(source, bytes);
  return bytes;
}

/** What has been read is handed out once more, by the same methods. */
function keepReadable(source: object, bytes: Uint8Array): void {
  const stream = streamOf(source);
  let used = false;
  const isUsed = (): boolean => used || (stream instanceof Readable && stream.readableDidRead);
  const unused = (): Uint8Array => {
    if (isUsed()) throw new TypeError('the body has been read already');
    return bytes;
  };
  const take = (): Uint8Array => {
    const taken = unused();
    used = true;
    return taken;
  };
  const text = async (): Promise<string> => new TextDecoder().decode(take());
  own(source, {
    text,
    json: async () => JSON.parse(await text()),
    bytes: async () => Uint8Array.from(take()),
    arrayBuffer: async () => Uint8Array.from(take()).buffer,
    blob: async () => new Blob([take()]),
    ...('clone' in source && { clone: () => cloneOf(source, unused()) }),
  });
  Object.defineProperty(source, 'bodyUsed', { get: isUsed, configurable: true });
  if (stream instanceof Readable) rewind(stream, bytes);
  else if (stream) own(source, { body: new Blob([bytes]).stream() });
}

function streamOf(source: object): unknown {
  return source instanceof Readable ? source : (source as { readonly body?: unknown }).body;
}

/** Another message with the same bytes. What they do not touch it has from the first one. */
function cloneOf(source: object, bytes: Uint8Array): object {
  const clone: object = Object.create(source);
  if (streamOf(source) instanceof Readable) own(clone, { body: new Readable() });
  keepReadable(clone, bytes);
  readings.set(clone as Unread, Promise.resolve(bytes));
  return clone;
}

/**
 * Makes a stream that has ended begin once more, with what came from it: it gets the state of a new one, and the
 * methods that its class has made its own. A stream in its place would be another object than the one that a test has.
 */
function rewind(stream: Readable, bytes: Uint8Array): void {
  const { push, read, on, addListener, off, removeListener, destroy, emit, _destroy } = Readable.prototype;
  const fresh = new Readable() as Readable & { readonly _readableState: object };
  own(stream, { push, read, on, addListener, off, removeListener, destroy, emit, _destroy });
  own(stream, { _read() {}, _readableState: fresh._readableState });
  stream.push(Buffer.from(bytes));
  stream.push(null);
}

function own(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
}
