import type { Exchange } from '../exchange.js';

/** Sends so many requests one after the other, until one is not sent. */
export async function series(
  length: number,
  send: (step: number) => Promise<Exchange | undefined>,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (let step = 0; step < length; step++) {
    const exchange = await send(step);
    if (exchange === undefined) break;
    exchanges.push(exchange);
  }
  return exchanges;
}
