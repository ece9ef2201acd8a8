import { SaxesParser } from 'saxes';

/** An element of a document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The text directly in it. */
  readonly text: string;
}

interface Open extends Element {
  readonly children: Element[];
  text: string;
}

/** @throws where the document is not well-formed XML 1.0 */
export function parseXml(document: string): Element {
  const open: Open[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, attributes, children: [], text: '' });
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) open.at(-1)?.children.push(element);
  });
  parser.write(document).close();
  const [root] = open[0]?.children ?? [];
  if (root === undefined) throw new Error('there is no element');
  return root;
}

/** Every element of a name below another, in order. */
export function elementsOf({ children }: Element, name: string): Element[] {
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsOf(child, name)]);
}
