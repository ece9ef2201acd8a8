import type { document } from './document.generated.js';

/** The literal types of `components.schemas` of the OpenAPI document. */
type Schemas = (typeof document)['components']['schemas'];

/** One flat object type: an editor then shows the fields instead of an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type RequiredKeys<S> = S extends { required: readonly (infer Key)[] } ? Key : never;

type ObjectType<S extends { properties: object }> = Flat<
  {
    -readonly [K in keyof S['properties'] as K extends RequiredKeys<S> ? K : never]: SchemaType<
      S['properties'][K]
    >;
  } & {
    -readonly [K in keyof S['properties'] as K extends RequiredKeys<S> ? never : K]?: SchemaType<
      S['properties'][K]
    >;
  }
>;

/** An int64 may be a bigint. Beyond 2^53 it must be one, because a double cannot represent it. */
type IntegerType<S> = S extends { format: 'int64' } ? number | bigint : number;

type AllOf<S extends readonly unknown[]> = S extends readonly [infer Head, ...infer Tail]
  ? SchemaType<Head> & AllOf<Tail>
  : unknown;

/** The TypeScript type of the values that a schema of the document describes. */
type SchemaType<S> = S extends { $ref: `#/components/schemas/${infer Name extends keyof Schemas}` }
  ? SchemaType<Schemas[Name]>
  : S extends { allOf: infer Parts extends readonly unknown[] }
    ? Flat<AllOf<Parts>>
    : S extends { type: 'object'; properties: object }
      ? ObjectType<S>
      : S extends { type: 'string' }
        ? string
        : S extends { type: 'integer' }
          ? IntegerType<S>
          : never;

/**
 * The body of a successful creation: `name`, and `tag` if the plant has one
 * (openapi.yaml#/components/schemas/Plant). Derived from `spec/openapi.yaml`.
 */
export type Plant = SchemaType<Schemas['Plant']>;

/**
 * The body of a creation request: `name`, `id` (an int64; a `bigint` beyond 2^53) and optionally `tag`
 * (openapi.yaml#/components/schemas/NewPlant). Derived from `spec/openapi.yaml`.
 */
export type NewPlant = SchemaType<Schemas['NewPlant']>;

/**
 * The body of a failed creation: `error`, an int32, and `message` (openapi.yaml#/components/schemas/Error).
 * Derived from `spec/openapi.yaml`, where it is called `Error`.
 */
export type PlantStoreError = SchemaType<Schemas['Error']>;
