/** Named in the table. It is published on GitHub and for Homebrew only, so it cannot be installed from a registry. */
export const cats = {
  name: 'CATS',
  settings: 'not run: it is in no package registry',
  page: 'https://endava.github.io/cats/docs/getting-started/installation',
  find: async () => ({ missing: 'missing: it is in no package registry' }),
};
