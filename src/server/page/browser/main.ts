import { call, follow } from './connection.js';
import { byId, setText } from './dom.js';
import { Failures } from './failures.js';
import { Faults } from './faults.js';
import { Requests } from './requests.js';
import { Plants } from './stored-plants.js';
import { Tabs, type View } from './tabs.js';
import { ViolationsView } from './violations.js';
import type { Hello } from './wire.js';

const requests = new Requests();
let hasStarted = false;

/** Shows the views of a server. */
function start(kind: Hello['kind']): void {
  const first: View = { id: 'requests', label: 'Requests' };
  // A reference server does not measure how long it takes.
  byId('list').classList.toggle('timed', kind === 'proxy');
  if (kind === 'proxy') {
    const violations = new ViolationsView(({ side, where }) => {
      const [, pointer = ''] = / (.*)$/.exec(where) ?? [];
      requests.find(pointer === '' ? `${side}:` : `${side} ${pointer}:`);
      tabs.show(first);
    });
    const tabs = new Tabs([
      first,
      { id: 'violations', label: 'Violations', refresh: () => violations.refresh() },
    ]);
    return;
  }
  const [plants, failures, faults] = [new Plants(), new Failures(), new Faults()];
  new Tabs([
    first,
    { id: 'plants', label: 'Plants', refresh: () => plants.refresh() },
    {
      ...{ id: 'failures', label: 'Failures', refresh: () => failures.refresh() },
      count: () => lengthOf('/shown-failures'),
    },
    {
      ...{ id: 'faults', label: 'Faults', refresh: () => faults.refresh() },
      count: () => lengthOf('/faults'),
    },
  ]);
}

async function lengthOf(path: string): Promise<number> {
  return ((await (await call('GET', path)).json()) as readonly unknown[]).length;
}

void follow(
  (hello) => {
    const { kind, url, upstream, version } = hello;
    requests.begin(hello);
    setText(byId('kind'), `plant-store ${kind}`);
    setText(byId('where'), upstream === undefined ? url : `${url} → ${upstream}`);
    byId('where').title = `version ${version}`;
    document.title = `${new URL(url).host} · plant-store ${kind}`;
    if (!hasStarted) start(kind);
    hasStarted = true;
  },
  (batch) => requests.add(batch),
);
