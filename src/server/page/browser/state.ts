import { call } from './connection.js';
import { button, byId, element, notify, setText } from './dom.js';
import { failureIn } from './failure-form.js';
import type { ShownFailure, ShownPlants } from './wire.js';
import { counted, countText, visibleInLine } from './words.js';

/** The plants of a reference server, the latest first. */
export class Plants {
  private readonly count = element('p', { class: 'fine', role: 'status' });
  private readonly rows = element('tbody');
  private before = '';

  constructor() {
    const clear = button('Remove all plants', () => void remove());
    const titles = ['id', 'name', 'tag'].map((title) => element('th', { scope: 'col' }, title));
    byId('panel-plants').append(
      element(
        'header',
        { class: 'bar' },
        element('h2', {}, 'Plants'),
        this.count,
        element('div', { class: 'actions' }, clear),
      ),
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Plants' },
        element('table', {}, element('thead', {}, element('tr', {}, ...titles)), this.rows),
      ),
    );
  }

  async refresh(): Promise<void> {
    const text = await (await call('GET', '/shown-plants')).text();
    if (text === this.before) return;
    this.before = text;
    const { total, plants } = JSON.parse(text) as ShownPlants;
    const some = plants.length < total ? `the last ${countText(plants.length)} of ` : '';
    setText(this.count, some + counted(total, 'plant'));
    this.rows.replaceChildren(...[...plants].reverse().map(plantRow));
  }
}

function plantRow({ id, name, tag }: ShownPlants['plants'][number]): HTMLElement {
  return element(
    'tr',
    {},
    element('td', { class: 'id' }, visibleInLine(id)),
    element('td', {}, visibleInLine(name)),
    element('td', {}, visibleInLine(tag ?? '')),
  );
}

async function remove(): Promise<void> {
  await call('DELETE', '/plants').catch(({ message }: Error) => notify(message));
}

/** What can be set with one click: each for the next creation. */
const QUICK: readonly (readonly [label: string, failure: object])[] = [
  ['503', { status: 503 }],
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['reset', { connection: 'reset' }],
  ['no response', { connection: 'hang' }],
  ['half a body', { connection: 'truncate' }],
  ['2 s late', { delayMs: 2_000 }],
];

const KINDS: readonly (readonly [value: string, label: string])[] = [
  ['status', 'a status'],
  ['', 'the usual response'],
  ['hang', 'no response'],
  ['reset', 'a reset before the head'],
  ['reset-in-head', 'a reset in the head'],
  ['reset-after-head', 'a reset after the head'],
  ['truncate', 'half a body'],
];

/** The failures on demand of a reference server. */
export class Failures {
  private readonly listed = element('ul', { class: 'failures', 'aria-label': 'Failures that are set' });
  private readonly problem = element('p', { class: 'alert', role: 'alert' });
  private readonly form = element('form', { class: 'failure-form', 'aria-label': 'Set a failure' });
  private before: string | undefined;

  constructor() {
    const quick = QUICK.map(([label, failure]) =>
      button(label, () => void this.set({ ...failure, times: 1 })),
    );
    const clear = button('Remove all failures', () => void this.change('DELETE', '/failures'));
    this.form.append(
      ...fields(),
      element('button', { type: 'submit', class: 'main' }, 'Set failure'),
      this.problem,
    );
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.set(failureIn(new FormData(this.form)));
    });
    byId('panel-failures').append(
      element(
        'header',
        { class: 'bar' },
        element('h2', {}, 'Failures on demand'),
        element('p', { class: 'fine' }, 'They apply to valid, authorised creations.'),
        element('div', { class: 'actions' }, clear),
      ),
      element(
        'div',
        { class: 'two' },
        element(
          'div',
          {},
          element(
            'div',
            { class: 'chips quick', role: 'group', 'aria-label': 'The next creation gets' },
            element('span', { class: 'fine' }, 'The next creation gets'),
            ...quick,
          ),
          this.form,
        ),
        element('div', {}, element('h3', {}, 'Set now'), this.listed),
      ),
    );
  }

  async refresh(): Promise<void> {
    const text = await (await call('GET', '/shown-failures')).text();
    if (text === this.before) return;
    this.before = text;
    const failures = JSON.parse(text) as ShownFailure[];
    const items = failures.map((failure) => {
      const words = visibleInLine(failure.text);
      const remove = button('Remove', () => void this.change('DELETE', `/shown-failures/${failure.number}`));
      remove.setAttribute('aria-label', `Remove ${words}`);
      return element('li', {}, element('span', {}, words), remove);
    });
    this.listed.replaceChildren(...(items.length > 0 ? items : [element('li', { class: 'fine' }, 'none')]));
  }

  private set(failure: object): Promise<void> {
    return this.change('POST', '/failures', JSON.stringify(failure));
  }

  private async change(method: string, path: string, body?: string): Promise<void> {
    setText(this.problem, '');
    try {
      await call(method, path, body);
      notify(saidOf(method, path));
      await this.refresh();
    } catch (problem) {
      setText(this.problem, (problem as Error).message);
    }
  }
}

function saidOf(method: string, path: string): string {
  if (method === 'POST') return 'The failure is set';
  return path === '/failures' ? 'All failures are removed' : 'The failure is removed';
}

function fields(): HTMLElement[] {
  const kinds = KINDS.map(([value, label]) => element('option', { value }, label));
  const number = (name: string, label: string, value = ''): HTMLElement =>
    labelled(label, element('input', { name, inputmode: 'numeric', pattern: '-?[0-9]*', value, size: 8 }));
  return [
    labelled('Response', element('select', { name: 'kind' }, ...kinds)),
    number('status', 'Status', '503'),
    number('times', 'How often (empty: always)', '1'),
    number('every', 'Only every nth'),
    number('delayMs', 'Late by ms'),
    number('bytesPerSecond', 'Bytes per second'),
    labelled('If the name is', element('input', { name: 'name', autocomplete: 'off' })),
    number('id', 'If the id is'),
    labelled('Body instead of an Error', element('input', { name: 'body', autocomplete: 'off' })),
  ];
}

function labelled(label: string, control: HTMLElement): HTMLElement {
  return element('label', {}, `${label} `, control);
}

interface KnownFault {
  readonly name: string;
  readonly title: string;
  readonly breaks: readonly string[];
}

interface Switch {
  readonly fault: KnownFault;
  readonly input: HTMLInputElement;
  readonly item: HTMLElement;
}

/** The faults of a reference server, each with a switch. */
export class Faults {
  private readonly search = element('input', {
    type: 'search',
    placeholder: 'Search faults and rules',
    'aria-label': 'Search faults',
    autocomplete: 'off',
  });
  private readonly only = element('input', { type: 'checkbox' });
  private readonly count = element('p', { class: 'fine', role: 'status' });
  private readonly list = element('ul', { class: 'faults', 'aria-label': 'Faults' });
  private switches: readonly Switch[] = [];
  private set: ReadonlySet<string> = new Set();

  constructor() {
    this.search.addEventListener('input', () => this.filter());
    this.only.addEventListener('change', () => this.filter());
    byId('panel-faults').append(
      element(
        'header',
        { class: 'bar' },
        element('h2', {}, 'Faults'),
        this.search,
        element('label', { class: 'choice' }, this.only, ' only those that are set'),
        this.count,
        element(
          'div',
          { class: 'actions' },
          button('Turn all off', () => void this.change([])),
        ),
      ),
      element('p', { class: 'fine' }, 'A fault makes the server nonconforming in one way.'),
      this.list,
    );
  }

  async refresh(): Promise<void> {
    if (this.switches.length === 0) await this.load();
    const names = (await (await call('GET', '/faults')).json()) as string[];
    this.set = new Set(names);
    for (const { fault, input } of this.switches) input.checked = this.set.has(fault.name);
    this.showSetFirst();
    setText(this.count, `${names.length} of ${this.switches.length} set`);
    if (this.only.checked) this.filter();
  }

  private async load(): Promise<void> {
    const known = (await (await call('GET', '/faults/known')).json()) as KnownFault[];
    this.switches = known.map((fault) => this.switchOf(fault));
  }

  /** Not while somebody uses the list: a switch must not move away. */
  private showSetFirst(): void {
    if (this.list.matches(':hover, :focus-within')) return;
    const isSet = ({ fault }: Switch): boolean => this.set.has(fault.name);
    const items = [...this.switches]
      .sort((a, b) => Number(isSet(b)) - Number(isSet(a)))
      .map(({ item }) => item);
    if (items.some((item, at) => item !== this.list.children[at])) this.list.replaceChildren(...items);
  }

  private switchOf(fault: KnownFault): Switch {
    const { name, title, breaks } = fault;
    const input = element('input', { type: 'checkbox', role: 'switch' });
    input.addEventListener('change', () => {
      const others = [...this.set].filter((one) => one !== name);
      void this.change(input.checked ? [...others, name] : others);
    });
    const item = element(
      'li',
      {},
      element('label', {}, input, element('span', {}, element('code', {}, name), ` ${title}`)),
      element('p', { class: 'fine' }, `breaks ${breaks.join(', ')}`),
    );
    return { fault, input, item };
  }

  private async change(names: readonly string[]): Promise<void> {
    await call('PUT', '/faults', JSON.stringify(names)).catch(({ message }: Error) => notify(message));
    await this.refresh();
  }

  private filter(): void {
    const words = this.search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    for (const { fault, item } of this.switches) {
      const text = `${fault.name} ${fault.title} ${fault.breaks.join(' ')}`.toLowerCase();
      const isFound = words.every((word) => text.includes(word));
      item.hidden = !isFound || (this.only.checked && !this.set.has(fault.name));
    }
  }
}
