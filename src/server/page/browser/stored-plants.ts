import { call } from './connection.js';
import { button, byId, element, notify, setText } from './dom.js';
import type { ShownPlants } from './wire.js';
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
