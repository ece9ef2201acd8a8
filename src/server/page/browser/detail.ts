import { call } from './connection.js';
import { button, byId, copy, element } from './dom.js';
import type { Problem, Row, ShownBody, ShownExchange, ShownMessage } from './wire.js';
import { durationText, sizeText, timeText, verdicts, visible, visibleInLine } from './words.js';

/** A longer body is shown when it is asked for: a browser is slow with very long texts. */
const LONGEST_SHOWN = 32_768;

/** One exchange, whole: it is fetched when it is chosen. */
export class Detail {
  private readonly node = byId('detail');
  private wanted = 0;

  /** @param onClose called when it is closed by its button or by Escape */
  constructor(private readonly onClose: () => void) {
    this.node.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  /** @param takesFocus whether the user asked to read it */
  async open(row: Row, takesFocus: boolean): Promise<void> {
    const wanted = ++this.wanted;
    let shown: Node[];
    try {
      shown = this.parts((await (await call('GET', `/exchanges/${row.number}`)).json()) as ShownExchange);
    } catch (problem) {
      shown = [this.head(row), element('p', { class: 'alert', role: 'alert' }, (problem as Error).message)];
    }
    // Another one was chosen meanwhile.
    if (wanted !== this.wanted) return;
    this.node.replaceChildren(...shown);
    this.node.hidden = false;
    byId('split').classList.add('open');
    this.node.scrollTop = 0;
    if (takesFocus) this.node.querySelector('h2')?.focus();
  }

  close(): void {
    this.wanted++;
    this.node.hidden = true;
    this.node.replaceChildren();
    byId('split').classList.remove('open');
    this.onClose();
  }

  private parts(exchange: ShownExchange): Node[] {
    const { all, notes, request, response, curl, method, target, status, failure, rejection, verdict } =
      exchange;
    const command = element('pre', { class: 'curl', 'aria-label': 'curl', tabindex: 0 }, visible(curl));
    command.hidden = true;
    const copying = button('Copy as curl', () => void copy(curl, command));
    const sent = message('Request', `${method} ${target}`, request);
    const received =
      response === undefined
        ? element(
            'section',
            { class: 'message' },
            element('h3', {}, 'Response'),
            element('p', { class: 'fine' }, failure ?? 'There was no response.'),
          )
        : message('Response', `${status} ${response.reason}`.trim(), response);
    return [
      this.head(exchange, copying),
      command,
      ...(rejection === undefined ? [] : [element('p', {}, `Rejected: ${visibleInLine(rejection)}`)]),
      ...(all.length === 0
        ? []
        : [
            element(
              'ul',
              { class: `problems ${verdict}`, 'aria-label': 'Problems' },
              ...all.map(problemItem),
            ),
          ]),
      ...notes.map((note) => element('p', { class: 'fine' }, visibleInLine(note))),
      element('div', { class: 'sides' }, sent, received),
    ];
  }

  private head(row: Row, ...actions: readonly HTMLElement[]): HTMLElement {
    const { number, method, target, at, verdict, microseconds, failure } = row;
    const { sign, words } = verdicts[verdict];
    const facts = [
      `number ${number}`,
      timeText(at),
      ...(microseconds === undefined ? [] : [durationText(microseconds)]),
      ...(failure === undefined ? [] : [visibleInLine(failure)]),
    ];
    return element(
      'header',
      { class: 'detail-head' },
      element('h2', { tabindex: -1 }, visibleInLine(`${method} ${target}`)),
      element(
        'p',
        { class: 'fine' },
        element(
          'strong',
          { class: `mark ${verdict}` },
          element('span', { 'aria-hidden': 'true' }, `${sign} `),
          words,
        ),
        ` · ${facts.join(' · ')}`,
      ),
      element(
        'div',
        { class: 'actions' },
        ...actions,
        button('Close', () => this.close()),
      ),
    );
  }
}

function problemItem({ side, judge, where, message: what, expected, actual }: Problem): HTMLElement {
  const whose = judge === 'prism' ? 'Prism: ' : '';
  return element(
    'li',
    { class: judge === 'prism' ? 'prism' : side },
    element('strong', {}, `${whose}${side} ${visibleInLine(where)}`),
    ` ${visibleInLine(what)}`,
    element('span', { class: 'fine' }, `expected ${visibleInLine(expected)}, got ${visibleInLine(actual)}`),
  );
}

function message(
  title: string,
  first: string,
  { headers, body, trailers, complete }: ShownMessage,
): HTMLElement {
  const lines = (fields: ShownMessage['headers']): HTMLElement[] =>
    fields.map(([name, value]) =>
      element(
        'span',
        {},
        element('span', { class: 'name' }, `${visibleInLine(name)}: `),
        `${visibleInLine(value)}\n`,
      ),
    );
  return element(
    'section',
    { class: 'message', 'aria-label': title },
    element('h3', {}, `${title} `, element('code', {}, visibleInLine(first))),
    ...bodyParts(title, body),
    element('pre', { tabindex: 0, 'aria-label': `${title}: header` }, ...lines(headers)),
    ...(trailers.length === 0
      ? []
      : [element('pre', { tabindex: 0, 'aria-label': `${title}: trailers` }, ...lines(trailers))]),
    !complete && element('p', { class: 'fine' }, 'It is incomplete.'),
  );
}

function bodyParts(title: string, { text, base64, missing, bytes, note }: ShownBody): HTMLElement[] {
  const about = [
    sizeText(bytes),
    ...(note === undefined ? [] : [note]),
    ...(base64 === undefined ? [] : ['not UTF-8: in base64']),
  ];
  const facts = element(
    'p',
    { class: 'fine' },
    missing ?? (bytes === 0 ? 'no body' : `body: ${about.join(', ')}`),
  );
  const whole = text ?? base64 ?? '';
  if (whole === '') return [facts];
  const pre = element(
    'pre',
    { class: 'body', tabindex: 0, 'aria-label': `${title}: body` },
    visible(whole.slice(0, LONGEST_SHOWN)),
  );
  if (whole.length <= LONGEST_SHOWN) return [pre, facts];
  const more = button(`Show all ${sizeText(bytes)}`, () => {
    pre.textContent = visible(whole);
    more.remove();
    pre.focus();
  });
  return [pre, facts, more];
}
