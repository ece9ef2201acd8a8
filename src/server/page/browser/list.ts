import { byId, element, setText } from './dom.js';
import type { Row } from './wire.js';
import { countText, durationText, timeText, verdicts, verdictText, visibleInLine } from './words.js';

/** Rows beyond the edges, so that scrolling shows no gap. */
const MORE = 6;

interface Line {
  readonly node: HTMLElement;
  readonly cells: readonly HTMLElement[];
  row: Row | undefined;
}

/** The list of exchanges. Only the rows that can be seen are in the document, and they are used again. */
export class RowList {
  private readonly list = byId('list');
  private readonly sizer = byId('rows');
  private readonly fresh = byId('fresh');
  private readonly lines: Line[] = [];
  private rows: readonly Row[] = [];
  /** Those of the last drawing: where the list is scrolled to is about these. */
  private drawn: readonly Row[] = [];
  private height = 0;
  private isDue = false;
  /** The row that was on top, and how far it was scrolled, while the list is not at its beginning. */
  private anchor: { readonly number: number; readonly offset: number } | undefined;
  private total = 0;
  private seen = 0;
  selected: number | undefined;

  /** @param onOpen a row was chosen, to be read or only by moving to it */
  constructor(private readonly onOpen: (row: Row, isMeant: boolean) => void) {
    this.list.addEventListener('scroll', () => this.keepAnchor());
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.sizer.addEventListener('click', ({ target }) => {
      const line = this.lines.find(({ node }) => node.contains(target as Node));
      if (line?.row !== undefined) this.choose(line.row, true);
    });
    this.fresh.addEventListener('click', () => this.toTop());
    new ResizeObserver(() => this.measure()).observe(this.list);
    this.measure();
  }

  /** @param total how many exchanges there were in all, for the button that leads to the new ones */
  show(rows: readonly Row[], total: number): void {
    this.rows = rows;
    this.total = total;
    this.showFresh();
    this.draw();
  }

  private showFresh(): void {
    if (this.anchor === undefined) this.seen = this.total;
    const more = this.total - this.seen;
    this.fresh.hidden = more <= 0;
    setText(this.fresh, `↑ ${countText(more)} new`);
  }

  toTop(): void {
    this.list.scrollTop = 0;
    this.keepAnchor();
    this.list.focus();
  }

  /** Moves the focus back to the list. */
  focus(): void {
    this.list.focus();
  }

  private measure(): void {
    this.height = Number.parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 30;
    this.draw();
  }

  private keepAnchor(): void {
    const { scrollTop } = this.list;
    const row = this.drawn[Math.floor(scrollTop / this.height)];
    this.anchor =
      scrollTop < 2 || row === undefined
        ? undefined
        : { number: row.number, offset: scrollTop % this.height };
    this.showFresh();
    this.draw();
  }

  /** Draws once in a frame, however much is new. */
  private draw(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNow();
    });
  }

  private drawNow(): void {
    const { list, rows, height } = this;
    this.drawn = rows;
    this.sizer.style.height = `${rows.length * height}px`;
    list.setAttribute('aria-rowcount', String(rows.length + 1));
    this.scrollToAnchor();
    const first = Math.max(Math.floor(list.scrollTop / height) - MORE, 0);
    const last = Math.min(first + Math.ceil(list.clientHeight / height) + 2 * MORE, rows.length);
    while (this.lines.length < last - first) this.lines.push(this.line(this.lines.length));
    for (const [at, line] of this.lines.entries()) {
      const index = first + at;
      const row = index < last ? rows[index] : undefined;
      line.node.hidden = row === undefined;
      if (row !== undefined) this.drawRow(line, row, index);
    }
    const active = this.lines.find(({ node, row }) => !node.hidden && row?.number === this.selected);
    if (active === undefined) list.removeAttribute('aria-activedescendant');
    else list.setAttribute('aria-activedescendant', active.node.id);
  }

  /** The row that was on top stays there, whatever is above it now. */
  private scrollToAnchor(): void {
    const { list, anchor } = this;
    if (anchor === undefined) return;
    const wanted = this.indexOf(anchor.number) * this.height + anchor.offset;
    if (Math.abs(list.scrollTop - wanted) > 0.5) list.scrollTop = wanted;
  }

  private drawRow(line: Line, row: Row, index: number): void {
    const { node } = line;
    node.style.transform = `translateY(${index * this.height}px)`;
    node.setAttribute('aria-rowindex', String(index + 2));
    node.setAttribute('aria-selected', String(row.number === this.selected));
    if (line.row !== row) fill(line, row);
  }

  private line(at: number): Line {
    const cells = ['time', 'what', 'status', 'verdict', 'took'].map((name) =>
      element('span', { class: name, role: 'gridcell' }),
    );
    const node = element('div', { class: 'row', role: 'row', id: `row-${at}` }, ...cells);
    this.sizer.append(node);
    return { node, cells, row: undefined };
  }

  /** The place of a row, or of the one that would be there. Numbers fall. */
  private indexOf(number: number): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.rows[middle] as Row).number > number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private onKey(event: KeyboardEvent): void {
    const { key } = event;
    const page = Math.max(Math.floor(this.list.clientHeight / this.height) - 2, 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    const at = this.selected === undefined ? -1 : this.indexOf(this.selected);
    const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
    if (step !== undefined) {
      const row = this.rows[Math.min(Math.max(at + step, 0), this.rows.length - 1)];
      if (row !== undefined) this.choose(row, false);
    } else if (key === 'Enter') {
      const row = this.rows[at];
      if (row !== undefined) this.choose(row, true);
    } else return;
    event.preventDefault();
  }

  private choose(row: Row, isMeant: boolean): void {
    this.selected = row.number;
    this.drawNow();
    const { list, height } = this;
    const top = this.indexOf(row.number) * height;
    // The head of the table covers as much as one row.
    const lowest = top + 2 * height - list.clientHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (lowest > list.scrollTop) list.scrollTop = lowest;
    this.keepAnchor();
    this.onOpen(row, isMeant);
  }
}

function fill(line: Line, row: Row): void {
  line.row = row;
  line.node.className = `row ${row.verdict}`;
  const [time, what, status, verdict, took] = line.cells as HTMLElement[] as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  time.textContent = timeText(row.at);
  const sent = element('span', { class: 'sent' }, `  ${visibleInLine(row.sent)}`);
  what.replaceChildren(visibleInLine(`${row.method} ${row.target}`), sent);
  status.textContent = row.status === 0 ? 'none' : String(row.status);
  status.className = `status s${String(row.status).charAt(0)}`;
  verdict.replaceChildren(
    element('span', { class: 'sign', 'aria-hidden': 'true' }, verdicts[row.verdict].sign),
    ` ${verdictText(row)}`,
  );
  took.textContent = row.microseconds === undefined ? '' : durationText(row.microseconds);
}
