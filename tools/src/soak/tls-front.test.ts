import { expect, test } from '@jest/globals';
import {
  createKubeClient,
  createObjectCache,
  createTransport,
  type KubeObject,
  kindTable,
  silentLogger,
  systemClock,
} from '@karpenter/runtime';
import { loadKubeConfig } from '@karpenter/runtime/kubeconfig';
import { startApiServer } from '@karpenter/api-server';
import { eventually } from '../../../apps/controller/src/testing/eventually.ts';
import { startTlsFront } from './tls-front.ts';

const kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const namespace = 'default';
const configMap = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

/**
 * A client of a kubeconfig with a cache that follows ConfigMaps. Its clock stands until it is put forward: a slow
 * machine reads no file earlier.
 */
const following = async () => {
  await using parts = new AsyncDisposableStack();
  let nowMs = systemClock.now();
  const clock = { ...systemClock, now: () => nowMs };
  const server = parts.use(await startApiServer({ clock: systemClock }));
  const front = parts.use(await startTlsFront(server.kubeconfig()));
  const transport = createTransport(await loadKubeConfig({ path: front.kubeconfigPath, clock }), { clock });
  parts.defer(() => transport.close());
  const client = createKubeClient(transport, kindTable([kind]));
  const cache = createObjectCache({ client, kind: 'ConfigMap', clock, logger: silentLogger, selection: { namespace } });
  const end = new AbortController();
  const run = cache.run(end.signal);
  parts.defer(async () => {
    end.abort();
    await run;
  });
  await cache.waitForSync();
  const running = parts.move();
  return {
    ...{ server, front, client, pass: (ms: number) => void (nowMs += ms) },
    /** What is written to the server appears in the cache. */
    follows: async (name: string) => {
      server.local.create(configMap(name));
      await eventually(`the cache has ${name}`, () => cache.get({ namespace, name }) !== undefined);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};

test('when the token is rotated › writes go on with the new one, and watches too', async () => {
  await using story = await following();
  await story.follows('before');
  story.front.rotateToken();
  await story.client.create('ConfigMap', configMap('written'));
  story.server.faults.dropWatches();
  await story.follows('after');
});

test('when the certificate of the API server is rotated, an hour after its authority was announced › writes and watches go on', async () => {
  await using story = await following();
  for (const round of ['first', 'second']) {
    story.front.announceCertificate();
    story.pass(3_600_000);
    await story.client.get('ConfigMap', { namespace, name: 'any' });
    story.front.useCertificate();
    await story.client.create('ConfigMap', configMap(`written-${round}`));
    await story.follows(`after-${round}`);
  }
});

test('when the certificate is rotated without notice › writes fail for at most a minute, then everything goes on', async () => {
  await using story = await following();
  story.front.announceCertificate();
  story.front.useCertificate();
  await expect(story.client.create('ConfigMap', configMap('refused'))).rejects.toMatchObject({ code: 'network' });
  story.pass(60_000);
  await story.client.create('ConfigMap', configMap('written'));
  await story.follows('after');
});
