import { startReader } from './provider.js';

/** A request that the stub received. */
export interface BrokerCall {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What the stub returns. */
export interface BrokerStub {
  /** The pacts with the provider, as JSON. */
  readonly pacts: readonly string[];
  readonly notice?: string;
  readonly isPending?: boolean;
  /** The status of the response to published results. Default 201. */
  readonly publishing?: number;
}

/**
 * A stub of the protocol of a Pact broker. It returns the links that Pact follows, and records the requests. It does not
 * implement selectors, pending pacts or versions: its options say what it returns.
 */
export async function startBrokerStub({ pacts, notice, isPending = false, publishing = 201 }: BrokerStub) {
  const calls: BrokerCall[] = [];
  const stub = await startReader(({ method = '', url = '', headers }, response, body) => {
    const text = body.toString();
    calls.push({
      method,
      path: url,
      authorization: headers.authorization,
      body: text === '' ? undefined : JSON.parse(text),
    });
    const base = `http://${headers.host}`;
    const send = (value: string, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/hal+json' }).end(value);
    const link = (path: string, templated = false) => ({ href: base + path, templated });
    if (url === '/')
      return send(
        JSON.stringify({
          _links: {
            'pb:provider-pacts-for-verification': link('/pacts/provider/{provider}/for-verification', true),
          },
        }),
      );
    if (url.endsWith('/for-verification')) {
      const notices = notice === undefined ? [] : [{ when: 'before_verification', text: notice }];
      const embedded = pacts.map((_pact, index) => ({
        shortDescription: `pact ${index}`,
        verificationProperties: { pending: isPending, notices },
        _links: { self: { ...link(`/pacts/${index}`), name: `Pact ${index}` } },
      }));
      return send(JSON.stringify({ _embedded: { pacts: embedded }, _links: { self: link(url) } }));
    }
    const pact = /^\/pacts\/(\d+)$/.exec(url);
    if (pact !== null) {
      const links = {
        self: link(url),
        'pb:publish-verification-results': link(`/results/${pact[1]}`),
        'pb:provider': link('/provider'),
      };
      return send((pacts[Number(pact[1])] ?? '').replace(/\}\s*$/, `,"_links":${JSON.stringify(links)}}`));
    }
    if (url === '/provider')
      return send(
        JSON.stringify({ _links: { 'pb:branch-version': link('/branches/{branch}/{version}', true) } }),
      );
    if (url.startsWith('/results/')) return send('{}', publishing);
    return send('{}', url.startsWith('/branches/') ? 201 : 404);
  });
  return { ...stub, calls };
}
