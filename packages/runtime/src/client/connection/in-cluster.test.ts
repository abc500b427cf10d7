import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fakeClock } from '../../clock/fake-clock.ts';
import { inClusterConnection } from './in-cluster.ts';

const serviceAccount = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'service-account-'));
  const write = (name: string, text: string) => writeFile(join(dir, name), text);
  await Promise.all([write('token', 'first\n'), write('ca.crt', 'CA 1'), write('namespace', 'kube-system')]);
  return { dir, write, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
};

const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };

test('a pod reaches its cluster with what is mounted into it', async () => {
  await using files = await serviceAccount();
  const connection = await inClusterConnection({ clock: fakeClock(), env, serviceAccountDir: files.dir });
  expect(connection).toMatchObject({ server: 'https://10.0.0.1:6443', tls: { ca: 'CA 1' }, namespace: 'kube-system' });
  expect(await connection?.credentials?.headers()).toEqual({ authorization: 'Bearer first' });
});

test('a token that the kubelet renewed is taken up within a minute, at once after a 401', async () => {
  await using files = await serviceAccount();
  const clock = fakeClock();
  const connection = await inClusterConnection({ clock, env, serviceAccountDir: files.dir });
  const token = async () => (await connection?.credentials?.headers())?.['authorization'];
  await token();
  await files.write('token', 'second');
  expect(await token()).toBe('Bearer first');
  await clock.advance(60_000);
  expect(await token()).toBe('Bearer second');
  await files.write('token', 'third');
  await connection?.credentials?.refresh();
  expect(await token()).toBe('Bearer third');
  await files.write('ca.crt', 'CA 2');
  expect(await connection?.reloadTls?.()).toEqual({ ca: 'CA 2' });
});

test('outside of a cluster there is none', async () => {
  expect(await inClusterConnection({ clock: fakeClock(), env: {} })).toBeUndefined();
});

test('an IPv6 address stands in brackets', async () => {
  await using files = await serviceAccount();
  const connection = await inClusterConnection({
    clock: fakeClock(),
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1' },
    serviceAccountDir: files.dir,
  });
  expect(connection?.server).toBe('https://[fd00::1]:443');
});
