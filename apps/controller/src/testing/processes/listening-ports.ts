import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The state LISTEN of a socket in the kernel's tables. */
const LISTEN = '0A';

const socketInodes = (pid: number): ReadonlySet<string> => {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).map((name) => /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, name)))?.[1]);
  return new Set(inodes.filter((inode) => inode !== undefined));
};

/** TCP ports that a process listens on, lowest first. Reads `/proc`: Linux only. */
export const listeningPorts = (pid: number): readonly number[] => {
  const own = socketInodes(pid);
  const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1));
  const ports = rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTEN && own.has(inode) ? [Number.parseInt(local.split(':').at(-1) ?? '', 16)] : [];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
};
