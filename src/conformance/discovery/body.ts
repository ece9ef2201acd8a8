import type { ProbeRequest } from '../exchange.js';
import { creation, withBody } from '../families/requests.js';
import type { ProbeValues } from '../probe.js';
import type { Asker } from './asker.js';
import type { Finding } from './limit.js';
import { searchLimit } from './search.js';

const KIB = 1024;
const MIB = KIB * KIB;
/** The largest body that is sent. */
const LARGEST_BODY = 16 * MIB;
const STAGES = [64 * KIB, MIB, 4 * MIB, LARGEST_BODY].map(BigInt);
/** Servers, frameworks and gateways have limits like these. */
const USUAL = [
  ...[256, 512, 1000, KIB, 2 * KIB, 4 * KIB, 5000, 8 * KIB, 10_000, 10 * KIB, 16 * KIB, 32 * KIB, 50_000],
  ...[100_000, 100 * KIB, 128 * KIB, 200_000, 256 * KIB, 500_000, 512 * KIB, 1_000_000],
  ...[1_500_000, 2_000_000, 2 * MIB, 2.5 * MIB, 3 * MIB, 4_000_000],
  ...[5_000_000, 5 * MIB, 8_000_000, 8 * MIB, 10_000_000, 10 * MIB, 12 * MIB, 15 * MIB, 16_000_000],
].flatMap((bytes) => [BigInt(bytes) - 1n, BigInt(bytes)]);
/** Ids of ten digits, so that a shell makes bodies of the same size. */
const [FIRST_ID, LAST_ID] = [10n ** 9n, 2n * 10n ** 9n];
const NEW_ID = '1000000000 + RANDOM / 4';

/** The largest body. It has spaces after the plant, so a limit on names does not matter. */
export function largestBody(asker: Asker): Promise<Finding> {
  const plain = padded(asker.values, 0).body.length;
  return searchLimit(
    asker,
    {
      noun: (bytes) => `a body of ${inWords(bytes)}`,
      inWords,
      request: (bytes) => padded(asker.values, Number(bytes)),
    },
    {
      title: 'Largest body',
      accepted: BigInt(plain),
      stages: STAGES,
      landmarks: USUAL,
      upTo: inWords(BigInt(LARGEST_BODY)),
    },
  );
}

/** A plain plant with spaces after it, so that the body has so many bytes. */
function padded(values: ProbeValues, bytes: number): ProbeRequest {
  const request = creation(values, { id: values.freshIdBetween(FIRST_ID, LAST_ID) });
  const json = Buffer.from(request.body);
  const spaces = Math.max(0, bytes - json.length);
  const plant = `printf '{"name":"%s","id":%s}' ${request.plant?.name} "$id"`;
  const shell = { newId: NEW_ID, body: `${plant}; head -c ${spaces} /dev/zero | tr '\\0' ' '` };
  return { ...withBody(request, Buffer.concat([json, Buffer.alloc(spaces, ' ')])), shell };
}

function inWords(bytes: bigint): string {
  return `${bytes.toLocaleString('en')} bytes`;
}
