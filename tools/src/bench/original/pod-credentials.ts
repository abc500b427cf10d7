import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a pod knows of its API server. */
export interface PodCredentials {
  readonly host: string;
  readonly port: string;
  /** A folder with `token`, `ca.crt` and `namespace`. */
  readonly folder: string;
}

/** An API server, and a user's token. */
interface ServedApi {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** Writes the files that a kubelet mounts into a pod. */
export const writePodCredentials = (folder: string, { url, ca, token }: ServedApi): PodCredentials => {
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries({ token, 'ca.crt': ca, namespace: 'kube-system' })) writeFileSync(join(folder, name), text);
  const { hostname, port } = new URL(url);
  return { host: hostname, port, folder };
};

/** Where client libraries read it; no setting changes it. */
const MOUNTED = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Mounts a file system of its own, copies the folder `$1` there, and becomes the rest of its arguments. */
const SCRIPT = `folder=$1; shift; mount -t tmpfs tmpfs /var/run && mkdir -p ${MOUNTED} && cp "$folder"/* ${MOUNTED}/ && exec "$@"`;
/** Namespaces for users and mounts, so that no other process sees it and no rights are needed. */
const APART = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', SCRIPT, 'sh'] as const;

/** How a program starts that finds its credentials where a pod has them. It keeps the process ID of the command. */
export const inPod = (command: readonly string[], { host, port, folder }: PodCredentials) => {
  const [first, ...rest] = APART;
  return {
    command: [first, ...rest, folder, ...command] as const,
    env: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
  };
};

/** Whether this machine lets a process of this user have mounts of its own. */
export const canMountApart = (): boolean => {
  const [program, ...args] = APART;
  return spawnSync(program, [...args, '/proc/self/fdinfo', 'true'], { stdio: 'ignore' }).status === 0;
};
