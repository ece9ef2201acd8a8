/** A provider that a test started. */
export interface Provider extends AsyncDisposable {
  readonly url: string;
}
