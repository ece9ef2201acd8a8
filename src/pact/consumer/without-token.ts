import { startForwarder } from '../../proxy/forward.js';
import { ToolkitError } from '../../toolkit-error.js';
import { headerValues } from '../../validation/message.js';
import type { PactMock } from './execute.js';

/**
 * Lets a consumer talk to a mock server, and makes sure that it sends no Authorization header. Pact cannot: it has no
 * matcher for a header that must be absent, and its mock server takes any header that was not agreed upon. So what is
 * sent passes through a forwarder that tells of it.
 *
 * @throws ToolkitError `does-not-conform` where one was sent
 */
export async function withoutToken<T>(mock: PactMock, run: (mock: PactMock) => Promise<T>): Promise<T> {
  let sent = false;
  const forwarder = await startForwarder({
    upstream: { baseUrl: mock.url },
    onExchange: ({ request }) => {
      sent ||= headerValues(request.headers, 'authorization').length > 0;
    },
  });
  try {
    return await run({ url: forwarder.url, port: forwarder.port });
  } finally {
    await forwarder.close();
    if (sent)
      // biome-ignore lint/correctness/noUnsafeFinally: whatever else went wrong, went wrong after this.
      throw new ToolkitError(
        'does-not-conform',
        'the consumer sent an Authorization header where the interaction has none: it is about a missing token',
      );
  }
}
