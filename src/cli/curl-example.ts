import { operationUrl } from '../spec/operation.js';

/**
 * Lines for a shell that create a plant.
 *
 * @param token the token to show; without one, the variable `PLANT_STORE_TOKEN`
 * @param platform that of Node; on Windows, there is a line for each of its two shells
 */
export function curlExample(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  platform: NodeJS.Platform,
): readonly string[] {
  const to = `-i ${operationUrl(url).href}`;
  const header = (variable: string): string => `-H "Authorization: Bearer ${token ?? variable}"`;
  const typed = '-H "Content-Type: application/json"';
  if (platform !== 'win32')
    return [`curl ${to} ${header('$PLANT_STORE_TOKEN')} ${typed} -d '{"name":"Aloe","id":7}'`];
  // The rules of C programs on Windows for a command line: a quote in an argument is \".
  const line = `${to} ${header('%PLANT_STORE_TOKEN%')} ${typed} -d "{\\"name\\":\\"Aloe\\",\\"id\\":7}"`;
  // After --%, PowerShell changes nothing but variables between percent signs. Its own "curl" is another program.
  return [`cmd:        curl ${line}`, `PowerShell: curl.exe --% ${line}`];
}
