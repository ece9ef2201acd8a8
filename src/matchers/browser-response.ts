/** A response of Playwright or Puppeteer: everything is a method, and can be called as often as one likes. */
interface BrowserResponse {
  status(): number;
  headers(): Readonly<Record<string, string>>;
  /** Of Playwright: a field that came twice is there twice. */
  headersArray?(): HeaderArray | Promise<HeaderArray>;
  /** Of Playwright. */
  body?(): Promise<Uint8Array>;
  /** Of Puppeteer. */
  buffer?(): Promise<Uint8Array>;
}

type HeaderArray = readonly { readonly name: string; readonly value: string }[];

export function isBrowserResponse(received: object): received is BrowserResponse {
  const { status, headers } = received as Readonly<Record<string, unknown>>;
  if (typeof status !== 'function' || typeof headers !== 'function') return false;
  const { body, buffer } = received as Readonly<Record<string, unknown>>;
  return typeof (body ?? buffer) === 'function';
}

/** The same as plain data. */
export async function plainResponse(response: BrowserResponse) {
  const fields = await response.headersArray?.();
  return {
    status: response.status(),
    headers: fields?.map(({ name, value }) => [name, value] as const) ?? response.headers(),
    body: await (response.body?.() ?? response.buffer?.()),
  };
}
