/** An error of Ajv's compiled validators. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator that Ajv compiled; `errors` is about its last call. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}
