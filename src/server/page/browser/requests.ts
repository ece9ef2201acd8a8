import { call } from './connection.js';
import { Detail } from './detail.js';
import { button, byId, element, notify, save, setText } from './dom.js';
import { RowList } from './list.js';
import { type Filter, RowStore } from './row-store.js';
import type { Batch, Hello, Row, Verdict } from './wire.js';
import { counted, countText, verdicts } from './words.js';

const MOST = 5_000;
/** The rate is that of so much time. */
const RATE_MS = 2_000;

/** The view of the requests: list, filter, and what was chosen. */
export class Requests {
  private readonly store = new RowStore(MOST);
  private readonly detail = new Detail(() => this.list.focus());
  private readonly list = new RowList((row, isMeant) => this.open(row, isMeant));
  private readonly search = byId<HTMLInputElement>('search');
  private readonly status = byId<HTMLSelectElement>('status');
  private readonly chosen = new Set<Verdict>();
  private readonly chips = new Map<Verdict, HTMLElement>();
  private shown: readonly Row[] = [];
  private isPaused = false;
  private totalWhenPaused = 0;
  private totals: { readonly at: number; readonly total: number }[] = [];

  constructor() {
    for (const verdict of Object.keys(verdicts) as Verdict[]) byId('verdicts').append(this.chip(verdict));
    this.search.addEventListener('input', () => this.update());
    this.status.addEventListener('change', () => this.update());
    byId('filter').addEventListener('submit', (event) => event.preventDefault());
    for (const id of ['pause', 'paused']) byId(id).addEventListener('click', () => this.pause());
    byId('export').addEventListener(
      'click',
      () => void this.export().catch(({ message }) => notify(message)),
    );
    byId('forget').addEventListener(
      'click',
      () => void call('DELETE', '/exchanges').catch(({ message }) => notify(message)),
    );
    byId('list').addEventListener('keydown', (event) => this.onKey(event));
    document.addEventListener('keydown', (event) => this.onSlash(event));
    setInterval(() => this.showRate(), 500);
    this.update();
  }

  /** A server listens: it may be another one than before. */
  begin({ kind, most }: Hello): void {
    (this.chips.get('asked-for')?.parentElement as HTMLElement).hidden = kind === 'proxy';
    this.store.most = Math.min(most, MOST);
    this.store.clear();
    this.totals = [];
  }

  add(batch: Batch): void {
    this.store.add(batch);
    this.totals.push({ at: performance.now(), total: batch.total });
    if (this.isPaused) this.showCounts();
    else this.update();
  }

  /** Shows the requests with a text. */
  find(text: string): void {
    this.search.value = text;
    this.update();
  }

  private filter(): Filter {
    return { text: this.search.value, verdicts: this.chosen, status: this.status.value };
  }

  private update(): void {
    this.shown = this.store.matching(this.filter());
    this.list.show(this.shown, this.store.total);
    const empty = byId('empty');
    empty.hidden = this.shown.length > 0;
    setText(empty, this.store.size === 0 ? 'No requests yet.' : 'No request matches the filter.');
    this.showCounts();
  }

  private showCounts(): void {
    const more = Math.max(this.store.total - this.totalWhenPaused, 0);
    byId('paused').hidden = !this.isPaused;
    setText(byId('paused'), `Paused, ${countText(more)} new`);
    const counts = this.store.counts();
    for (const [verdict, count] of this.chips) setText(count, countText(counts[verdict]));
    const { size, total } = this.store;
    const some = this.shown.length === size ? '' : `${countText(this.shown.length)} of `;
    const last =
      size < total
        ? `the last ${countText(size)} of ${counted(total, 'request')}`
        : counted(total, 'request');
    setText(byId('shown'), some + last);
  }

  private showRate(): void {
    const now = performance.now();
    this.totals = this.totals.filter(
      ({ at }, index) => now - at < RATE_MS || index === this.totals.length - 1,
    );
    const [first, last] = [this.totals[0], this.totals.at(-1)];
    const rate =
      first === undefined || last === undefined || now - last.at > RATE_MS
        ? 0
        : ((last.total - first.total) * 1_000) / RATE_MS;
    setText(byId('rate'), `${countText(Math.round(rate))} requests/s`);
  }

  private chip(verdict: Verdict): HTMLElement {
    const { sign, words } = verdicts[verdict];
    const count = element('span', { class: 'count' }, '0');
    const chip = button(
      '',
      () => {
        if (!this.chosen.delete(verdict)) this.chosen.add(verdict);
        chip.setAttribute('aria-pressed', String(this.chosen.has(verdict)));
        this.update();
      },
      { class: `chip ${verdict}`, 'aria-pressed': 'false' },
    );
    chip.append(element('span', { class: 'sign', 'aria-hidden': 'true' }, sign), ` ${words} `, count);
    this.chips.set(verdict, count);
    return chip;
  }

  private open(row: Row, isMeant: boolean): void {
    // On a phone it covers the list, so moving through the list must not open it.
    if (isMeant || this.detail.isOpen || matchMedia('(min-width: 48rem)').matches)
      void this.detail.open(row, isMeant);
  }

  private pause(): void {
    this.isPaused = !this.isPaused;
    byId('pause').setAttribute('aria-pressed', String(this.isPaused));
    setText(byId('pause'), this.isPaused ? 'Go on' : 'Pause');
    this.totalWhenPaused = this.store.total;
    if (this.isPaused) this.showCounts();
    else this.update();
  }

  private async export(): Promise<void> {
    const numbers = this.shown.map(({ number }) => number).reverse();
    const response = await call('POST', '/exchanges/har', JSON.stringify({ numbers }));
    save(await response.blob(), 'plant-store.har');
    notify(`Exported ${counted(numbers.length, 'request')}`);
  }

  /** From anywhere in the view, except where it is text. */
  private onSlash(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isText = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (key !== '/' || ctrlKey || metaKey || altKey || isText || byId('panel-requests').hidden) return;
    event.preventDefault();
    this.search.focus();
  }

  private onKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'p') this.pause();
    else if (key === 'Escape' && this.detail.isOpen) this.detail.close();
  }
}
