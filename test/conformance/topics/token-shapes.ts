/** The shapes of tokens: words, UUIDs, base64 with padding, JSON Web Tokens, all that a header can carry. */
export const TOKENS = [
  // No word of it is a token that is sent to everybody.
  'garden-token',
  'aaaaaaaa',
  '123e4567-e89b-12d3-a456-426614174000',
  'QWxsIHBsYW50cyBhcmUgZ3JlZW4=',
  'c2Vjcg==',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJmZXJuIn0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'a$HOME`id`"\'\\%s%25&#;,=+/~!{}[]()<>|*?^:@.',
  '----____....',
  'abcd',
  'abc',
  '4',
];
