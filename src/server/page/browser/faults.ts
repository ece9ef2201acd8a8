import { call } from './connection.js';
import { button, byId, element, notify, setText } from './dom.js';

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
