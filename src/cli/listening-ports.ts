import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The state LISTEN in /proc/net/tcp. */
const LISTEN = '0A';

/**
 * The TCP ports on which the processes of a group listen, in ascending order. Only Linux tells: elsewhere there are none.
 *
 * @param group the number of the process group
 */
export function listeningPorts(group: number): readonly number[] {
  const inodes = new Set(processesOf(group).flatMap(socketsOf));
  const ports = ['tcp', 'tcp6'].flatMap((table) =>
    linesOf(`/proc/net/${table}`).flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === LISTEN && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
    }),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

function processesOf(group: number): readonly string[] {
  return namesIn('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    // The name of the program is in brackets, and may contain anything: state, parent and group follow it.
    const [stat = ''] = linesOf(`/proc/${name}/stat`);
    return (
      stat
        .slice(stat.lastIndexOf(')') + 1)
        .trim()
        .split(' ')[2] === String(group)
    );
  });
}

/** The inodes of the sockets that a process has open. */
function socketsOf(process: string): readonly string[] {
  const folder = `/proc/${process}/fd`;
  return namesIn(folder).flatMap(
    (name) => /^socket:\[(\d+)\]$/.exec(targetOf(`${folder}/${name}`))?.[1] ?? [],
  );
}

/** What cannot be read has ended, belongs to somebody else, or does not exist on this system. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}

function namesIn(folder: string): readonly string[] {
  return orNothing(() => readdirSync(folder), []);
}

function linesOf(file: string): readonly string[] {
  return orNothing(() => readFileSync(file, 'utf8').split('\n'), []);
}

function targetOf(link: string): string {
  return orNothing(() => readlinkSync(link), '');
}
