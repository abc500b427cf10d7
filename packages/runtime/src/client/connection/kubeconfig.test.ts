import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { kubeconfigOf, loadKubeConfig } from './kubeconfig.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const configOf = (user: object): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'dev',
    clusters: [
      {
        name: 'dev',
        cluster: { server: 'https://dev.example.com:6443/', 'certificate-authority-data': base64('CA'), 'tls-server-name': 'kubernetes' },
      },
      { name: 'plain', cluster: { server: 'http://127.0.0.1:8001' } },
    ],
    users: [{ name: 'me', user }],
    contexts: [
      { name: 'dev', context: { cluster: 'dev', user: 'me', namespace: 'team' } },
      { name: 'plain', context: { cluster: 'plain', user: 'me' } },
      { name: 'broken', context: { cluster: 'none', user: 'me' } },
    ],
  });

const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  const path = join(dir, 'config');
  return { dir, path, write: (text: string) => writeFile(path, text), [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
};

describe('a kubeconfig', () => {
  test('gives server, certificates and namespace of its current context', async () => {
    await using files = await folder();
    await files.write(configOf({ 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }));
    const connection = await loadKubeConfig({ path: files.path });
    expect(connection).toMatchObject({
      server: 'https://dev.example.com:6443',
      tls: { ca: 'CA', certificate: 'CERT', key: 'KEY', serverName: 'kubernetes' },
      namespace: 'team',
    });
  });

  test('gives another context when asked', async () => {
    await using files = await folder();
    await files.write(configOf({ token: 't' }));
    const connection = await loadKubeConfig({ path: files.path, context: 'plain' });
    expect(connection.server).toBe('http://127.0.0.1:8001');
    expect(await connection.credentials?.headers()).toEqual({ authorization: 'Bearer t' });
  });

  test('is read again after a 401', async () => {
    await using files = await folder();
    await files.write(configOf({ token: 'old' }));
    const connection = await loadKubeConfig({ path: files.path });
    await files.write(configOf({ token: 'new' }));
    expect(await connection.credentials?.headers()).toEqual({ authorization: 'Bearer old' });
    await connection.credentials?.refresh();
    expect(await connection.credentials?.headers()).toEqual({ authorization: 'Bearer new' });
  });

  test('runs an exec plugin, keeps its token, and runs it again after a 401', async () => {
    await using files = await folder();
    const plugin = join(files.dir, 'plugin.sh');
    const credential =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"run-%s","expirationTimestamp":"2999-01-01T00:00:00Z"}}';
    await writeFile(plugin, `#!/bin/sh\necho x >> ${files.dir}/runs\nprintf '${credential}' "$(wc -l < ${files.dir}/runs | tr -d ' ')"\n`);
    await chmod(plugin, 0o755);
    await files.write(configOf({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin, interactiveMode: 'Never' } }));
    const { credentials } = await loadKubeConfig({ path: files.path });
    const first = await credentials?.headers();
    expect(await credentials?.headers()).toEqual(first);
    await credentials?.refresh();
    expect(await credentials?.headers()).not.toEqual(first);
  });
});

describe('a kubeconfig that cannot be used says why in one line', () => {
  test('when there is no file', async () => {
    await expect(loadKubeConfig({ path: '/nowhere/config' })).rejects.toMatchObject({
      code: 'unreadable',
      message: 'there is no kubeconfig at /nowhere/config',
    });
  });

  test('when it is no YAML', async () => {
    await using files = await folder();
    await files.write('clusters: [');
    await expect(loadKubeConfig({ path: files.path })).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/^kubeconfig .* cannot be read: [^\n]+$/) as unknown,
    });
  });

  test('when the context is not in it', async () => {
    await using files = await folder();
    await files.write(configOf({}));
    await expect(loadKubeConfig({ path: files.path, context: 'prod' })).rejects.toMatchObject({
      code: 'no-context',
      message: `kubeconfig ${files.path} has no context "prod"; it has: dev, plain, broken`,
    });
  });

  test('when the context names no cluster', async () => {
    await using files = await folder();
    await files.write(configOf({}));
    await expect(loadKubeConfig({ path: files.path, context: 'broken' })).rejects.toMatchObject({ code: 'no-cluster' });
  });
});

test('a kubeconfig that was written is read again', async () => {
  await using files = await folder();
  await files.write(kubeconfigOf({ name: 'own', url: 'https://127.0.0.1:6443', token: 'abc', ca: 'CA: "1"\n' }));
  const connection = await loadKubeConfig({ path: files.path });
  expect(connection).toMatchObject({ server: 'https://127.0.0.1:6443', tls: { ca: 'CA: "1"\n' } });
  expect((await connection.credentials?.headers())?.['authorization']).toBe('Bearer abc');
});
