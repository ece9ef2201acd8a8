import { notify } from './dom.js';

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
