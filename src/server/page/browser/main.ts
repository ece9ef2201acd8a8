import { call, follow } from './connection.js';
import { byId, element, setText } from './dom.js';
import { Requests } from './requests.js';
import { Failures, Faults, Plants } from './state.js';
import { ViolationsView } from './violations.js';
import type { Hello } from './wire.js';
import { countText } from './words.js';

/** A view of the page. */
interface View {
  readonly id: string;
  readonly label: string;
  /** Called when it is shown, and every second while it is. */
  readonly refresh?: () => Promise<void>;
  /** How much is set in it, to be seen from the other views. */
  readonly count?: () => Promise<number>;
}

const REFRESH_MS = 1_000;

/** Views, one of which is shown. Arrow keys move between their tabs. */
class Tabs {
  private readonly tabs: readonly HTMLButtonElement[];
  private current: View | undefined;
  private refreshing = false;

  constructor(private readonly views: readonly View[]) {
    this.tabs = views.map((view) => {
      const tab = element(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${view.id}`,
          'aria-controls': `panel-${view.id}`,
        },
        view.label,
        element('span', { class: 'count' }),
      );
      tab.addEventListener('click', () => this.show(view));
      return tab;
    });
    const list = byId('tabs');
    list.replaceChildren(...this.tabs);
    list.hidden = false;
    list.onkeydown = (event) => this.onKey(event);
    const [first] = views;
    if (first !== undefined) this.show(first);
    setInterval(() => void this.refresh(), REFRESH_MS);
  }

  show(view: View): void {
    this.current = view;
    for (const [at, { id }] of this.views.entries()) {
      const isShown = id === view.id;
      const tab = this.tabs[at] as HTMLButtonElement;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      byId(`panel-${id}`).hidden = !isShown;
    }
    void this.refresh();
  }

  /** Asks the server for what the view shows; not while nobody looks, and not twice at a time. */
  private async refresh(): Promise<void> {
    if (this.refreshing || document.hidden) return;
    this.refreshing = true;
    // What went wrong, the state of the connection says.
    await this.current?.refresh?.().catch(() => {});
    for (const [at, { count }] of this.views.entries()) {
      const most = (await count?.().catch(() => 0)) ?? 0;
      setText(this.tabs[at]?.lastChild as Node, most === 0 ? '' : ` ${countText(most)}`);
    }
    this.refreshing = false;
  }

  private onKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined || this.current === undefined) return;
    const at = this.views.indexOf(this.current) + step;
    const view = this.views[Math.min(Math.max(at, 0), this.views.length - 1)];
    if (view === undefined) return;
    this.show(view);
    byId(`tab-${view.id}`).focus();
    event.preventDefault();
  }
}

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
