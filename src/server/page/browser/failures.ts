import { call } from './connection.js';
import { button, byId, element, notify, setText } from './dom.js';
import { failureIn } from './failure-form.js';
import type { ShownFailure } from './wire.js';
import { visibleInLine } from './words.js';

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
