/** A timer that is more frequent costs more than it shows. */
const SHORTEST_MS = 50;

/** How a body of some bytes per second is divided into pieces. */
export function pieceOf(bytesPerSecond: number): { readonly size: number; readonly everyMs: number } {
  const size = Math.max(1, Math.round((bytesPerSecond * SHORTEST_MS) / 1_000));
  return { size, everyMs: (size * 1_000) / bytesPerSecond };
}
