import { call } from './connection.js';
import { button, byId, element, notify, setText } from './dom.js';
import { counted, countText, visibleInLine } from './words.js';

interface ShownPlant {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
}

const MOST = 200;

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
    const response = await call('GET', `/plants?last=${MOST}`);
    const total = Number(response.headers.get('x-total-count'));
    const text = await response.text();
    if (text + total === this.before) return;
    this.before = text + total;
    const plants = plantsIn(text).reverse();
    const some = plants.length < total ? `the last ${countText(plants.length)} of ` : '';
    setText(this.count, some + counted(total, 'plant'));
    this.rows.replaceChildren(...plants.map(plantRow));
  }
}

function plantRow({ id, name, tag }: ShownPlant): HTMLElement {
  return element(
    'tr',
    {},
    element('td', { class: 'id' }, visibleInLine(String(id))),
    element('td', {}, visibleInLine(name)),
    element('td', {}, visibleInLine(tag ?? '')),
  );
}

/**
 * Plants with exact ids: a number of JavaScript has too few digits. Within a string of JSON, a quote has a backslash before
 * it, so this finds only the member.
 */
function plantsIn(json: string): ShownPlant[] {
  return JSON.parse(json.replace(/"id":(-?\d+)/g, '"id":"$1"')) as ShownPlant[];
}

async function remove(): Promise<void> {
  await call('DELETE', '/plants').catch(({ message }: Error) => notify(message));
}
