import { inspect, isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import {
  type Controller,
  createKubeClient,
  createObjectCache,
  createTransport,
  isFailure,
  kindTable,
  type LogFields,
  type Logger,
  type KubeObject as RuntimeObject,
  type ObjectCache,
  runController,
  scaledClock,
  settled,
  systemClock,
} from '@karpenter/runtime';
import type { ApiServer, ApiObject } from '../public/index.ts';
import { seededRandom } from '../engine/seeded-random.ts';
import { startApiServer } from '../start-api-server.ts';

interface ConfigMap extends RuntimeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** What is logged is searched for secrets after each test. */
const search = (message: string, fields?: LogFields): void =>
  void (globalThis as { readonly loggedByTest?: string[] }).loggedByTest?.push(inspect({ ...fields, message }, { depth: 8 }));
const searchedLogger: Logger = { debug: search, info: search, warn: search, error: search };

const FINALIZER = 'example.com/mirror';
const kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const namespace = 'default';

/** Chooses what happens next. The seed determines every choice. */
const chooser = (seed: number) => {
  const random = seededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  return { below, oneOf: <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0] };
};

type Chooser = ReturnType<typeof chooser>;

const create = (
  { local }: ApiServer,
  { name, tier, value }: { readonly name: string; readonly tier: string; readonly value: string },
): ApiObject =>
  local.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { tier }, finalizers: [FINALIZER] },
    data: { value },
  } as ApiObject);

/** A person or another program at work on the same objects. */
const write = (server: ApiServer, { below, oneOf }: Chooser): void => {
  const { local } = server;
  const name = `m-${below(40)}`;
  const known = local.get<ApiObject>('ConfigMap', { name });
  const tier = oneOf(['front', 'back']);
  const data = { value: String(below(1_000)) };
  if (known === undefined) create(server, { name, tier, value: data.value });
  else if (below(12) === 0) local.delete('ConfigMap', { name });
  else local.patch('ConfigMap', { name }, { type: 'merge', body: { metadata: { labels: { tier } }, data } });
};

/** Breaks something; what lasts is lifted a few steps later. */
const disturb = ({ faults }: ApiServer, { below, oneOf }: Chooser): Disposable | undefined => {
  const times = 1 + below(6);
  switch (oneOf(['drop', 'stale', 'freeze', 'compact', 'refuse', 'reset', 'latency'])) {
    case 'drop':
      faults.dropWatches();
      return undefined;
    case 'compact':
      faults.dropWatches();
      faults.compact();
      return undefined;
    case 'stale':
      return faults.staleWatches();
    case 'freeze':
      return faults.freezeCache();
    case 'refuse':
      return faults.inject({ effect: { kind: 'refuse', code: oneOf([409, 429, 500, 503, 504]), retryAfterSeconds: 1 }, times });
    case 'reset':
      return faults.inject({ effect: { kind: 'reset' }, times });
    default:
      return faults.inject({ effect: { kind: 'latency', ms: below(3_000) }, times });
  }
};

const STEPS = 1_500;
const LONGEST_FAULT_STEPS = 60;

const play = async (server: ApiServer, chance: Chooser, turn: () => Promise<void>): Promise<void> => {
  const lasting: { readonly fault: Disposable; readonly untilStep: number }[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    write(server, chance);
    if (chance.below(20) === 0) {
      const fault = disturb(server, chance);
      if (fault !== undefined) lasting.push({ fault, untilStep: step + chance.below(LONGEST_FAULT_STEPS) });
    }
    for (const each of lasting.filter(({ untilStep }) => untilStep <= step)) {
      each.fault[Symbol.dispose]();
      lasting.splice(lasting.indexOf(each), 1);
    }
    if (chance.below(3) === 0) await turn();
  }
  for (let each = 0; each < 20; each += 1) create(server, { name: `last-${each}`, tier: 'front', value: '0' });
  for (const { fault } of lasting) fault[Symbol.dispose]();
};

/** Writes down each value that it sees, and lets go of what is deleted. */
const mirror = (client: ReturnType<typeof createKubeClient>): Controller<ConfigMap> => ({
  name: 'test.mirror',
  kind: 'ConfigMap',
  concurrency: 4,
  async reconcile({ metadata, data }, { signal }) {
    const { name, resourceVersion, deletionTimestamp, annotations } = metadata as typeof metadata & {
      annotations?: Record<string, string>;
    };
    const changes = deletionTimestamp === undefined ? { annotations: { mirrored: data?.['value'] ?? '' } } : { finalizers: null };
    if (deletionTimestamp === undefined && annotations?.['mirrored'] === data?.['value']) return settled;
    const body = { metadata: { ...changes, resourceVersion } };
    await client.patch('ConfigMap', { namespace, name }, { type: 'merge', body, signal });
    return settled;
  },
});

const stateOf = (
  objects: readonly { readonly metadata: { readonly name?: string | undefined; readonly resourceVersion?: string | undefined } }[],
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(objects.map(({ metadata: { name = '', resourceVersion } }) => [name, resourceVersion]));

const isMirrored = (object: ApiObject & { readonly data?: { readonly value?: string } }): boolean =>
  object.metadata.deletionTimestamp === undefined && object.metadata.annotations?.['mirrored'] === object.data?.value;

test.each([1, 2])(
  'caches and a controller end up with what the server holds, whatever happened on the way (seed %i)',
  async (seed) => {
    const clock = scaledClock(systemClock, 100);
    const chance = chooser(seed);
    await using server = await startApiServer({ clock, seed, watchCacheSize: 200, bookmarkIntervalMs: 2_000 });
    const transport = createTransport({ server: server.url, tls: {} }, { clock, qps: 100_000, burst: 100_000 });
    const client = createKubeClient(transport, kindTable([kind]));
    const problems: unknown[] = [];
    const logger: Logger = {
      ...searchedLogger,
      error: (message, fields) => {
        problems.push({ message, ...fields });
        search(message, fields);
      },
    };
    const cacheOf = (options: object): ObjectCache<ConfigMap> =>
      createObjectCache<ConfigMap>({ client, kind: 'ConfigMap', clock, logger, selection: { namespace }, ...options });
    const all = cacheOf({});
    const streamed = cacheOf({ initialRead: 'stream' });
    const front = cacheOf({ selection: { namespace, labelSelector: 'tier=front' } });
    const end = new AbortController();
    using _end = { [Symbol.dispose]: () => end.abort() };
    const runs = [all, streamed, front].map((cache) => cache.run(end.signal));
    await all.waitForSync();
    const bugs: unknown[] = [];
    const environment = {
      clock,
      backoff: { baseMs: 100, maxMs: 5_000 },
      logger: searchedLogger,
      onBug: (error: unknown) => void bugs.push(error),
    };
    runs.push(runController(mirror(client), environment, { caches: new Map([['ConfigMap', all]]), signal: end.signal }));

    await play(server, chance, () => clock.sleep(chance.below(200)));

    const present = (labelSelector?: string) => server.local.list<ApiObject>('ConfigMap', { namespace, labelSelector });
    const agrees = (cache: ObjectCache<ConfigMap>, labelSelector?: string): boolean =>
      isDeepStrictEqual(stateOf(cache.list()), stateOf(present(labelSelector)));
    const isSettled = (): boolean => present().every(isMirrored) && agrees(all) && agrees(streamed) && agrees(front, 'tier=front');
    for (let waits = 0; waits < 200 && !isSettled(); waits += 1) await clock.sleep(2_000);

    expect(present().length).toBeGreaterThanOrEqual(20);
    expect(present().filter((object) => !isMirrored(object))).toEqual([]);
    expect(stateOf(all.list())).toEqual(stateOf(present()));
    expect(stateOf(streamed.list())).toEqual(stateOf(present()));
    expect(stateOf(front.list())).toEqual(stateOf(present('tier=front')));
    expect([problems, bugs.filter((bug) => !isFailure(bug))]).toEqual([[], []]);
    end.abort();
    await Promise.all(runs);
    await transport.close();
  },
  30_000,
);
