import { checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { startPlantStore } from 'plant-store-contract/server';

/** What the picture of the README shows: a check of the reference server with two faults, in the html format. */
export async function pageOfPicture(): Promise<string> {
  await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id', 'rounds-ids'] });
  // On a busy machine the server must not look slow: then a check sends less, and asks Prism less.
  const patient = { timeLimitMs: 3_600_000, timeoutMs: 30_000, prism: false };
  const report = await checkConformance({ baseUrl: store.url, token: 'secret', ...patient });
  return reporters.html(report).replaceAll(store.url, 'http://localhost:3000');
}

/** The texts of the page that can be seen before anything is opened, line by line, without what differs from run to run. */
export function textOfPicture(page: string): string {
  return withoutFolded(page)
    .replace(/^.*<body>/s, '')
    .replace(/<footer>.*/s, '')
    .replaceAll(/<script>.*?<\/script>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:quot|#39|amp|lt|gt);/g, (reference) => CHARACTERS[reference] ?? reference)
    .replaceAll(/\b(?:Aloe[a-z]{6}|\d{5,})\b/g, 'ID')
    .replaceAll(/[\d-]{10} [\d:]{8} UTC *, [\d.]+ s/g, 'TIME')
    .replaceAll(/\b\d+(?= (?:other )?(?:requests|plants|responses|of \d+ responses))/g, 'N')
    .replaceAll(/N of \d+/g, 'N of N')
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '))
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

/** What is folded goes, from the inside outwards. */
function withoutFolded(page: string): string {
  const less = page.replaceAll(INNERMOST_FOLD, '$1');
  return less === page ? page : withoutFolded(less);
}

/** Its summary stays. */
const INNERMOST_FOLD =
  /<details[^>]*>\s*<summary>((?:(?!<\/summary>).)*)<\/summary>(?:(?!<details).)*?<\/details>/gs;

const CHARACTERS: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
};
