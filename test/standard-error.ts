import { afterEach, beforeEach, vi } from 'vitest';

/** Records what each test of a file writes to standard error, and shows none of it. */
export function recordStandardError(): { text: string } {
  const recorded = { text: '' };
  beforeEach(() => {
    recorded.text = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      recorded.text += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return recorded;
}
