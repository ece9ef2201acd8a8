/** An element of the document, which has it. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with its children. A string is text, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a picture. */
export function svg(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return filled(
    document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement,
    attributes,
    children,
  );
}

function filled<T extends Element>(made: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A button that does something. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Sets a text only if it changes: a screen reader would read it again. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

let noticeTimer = 0;

/** Shows a short message for a moment. */
export function notify(text: string): void {
  const notice = byId('notice');
  notice.textContent = text;
  notice.classList.add('on');
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => notice.classList.remove('on'), 2_500);
}

/** Copies a text. Without the permission, or on an insecure origin, it copies what is selected in an element. */
export async function copy(text: string, shown: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('Copied');
  } catch {
    shown.hidden = false;
    getSelection()?.selectAllChildren(shown);
    notify(document.execCommand('copy') ? 'Copied' : 'Selected: copy it with the keyboard');
  }
}

/** Saves a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
