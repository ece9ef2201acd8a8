/** The limits on bodies, in bytes. Everything that decodes or keeps a body uses these. */
export const limits = {
  /** The longest body after its content codings are undone. */
  decodedBody: 16 * 2 ** 20,
  /** The checker keeps this much of a response: more than any probe asks for. */
  checkedResponse: 2 * 2 ** 20,
  /** The proxy judges this much of a body. */
  judgedBody: 2 ** 20,
} as const;
