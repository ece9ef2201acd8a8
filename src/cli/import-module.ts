/**
 * Imports a module of the user.
 *
 * @param url of its file
 */
export async function importModule(url: string): Promise<unknown> {
  return await import(url);
}
