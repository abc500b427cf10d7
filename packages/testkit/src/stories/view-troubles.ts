import type { FaultEffect } from '@karpenter/api-server';
import fc from 'fast-check';
import type { DistortedView } from './distorted-view.ts';
import type { StoryCluster } from './story-cluster.ts';
import type { TroubledProvider } from './troubled-provider.ts';

/** What troubles are made with. */
export interface Troubled {
  readonly story: StoryCluster;
  readonly view: DistortedView;
  readonly cloud: TroubledProvider;
}

type Begin = (troubled: Troubled) => Disposable;

const nothingToEnd: Disposable = { [Symbol.dispose]: () => undefined };
const once =
  (act: (troubled: Troubled) => unknown): Begin =>
  (troubled) => {
    act(troubled);
    return nothingToEnd;
  };

const WRITES = ['create', 'patch', 'delete'] as const;
const WRITTEN_KINDS = ['NodeClaim', 'Node', 'NodePool', 'Pod'];
/** Four of ten writes meet it. */
const writesMeet =
  (effect: FaultEffect): Begin =>
  ({ story }) =>
    story.faults.inject({ effect, verbs: WRITES, kinds: WRITTEN_KINDS, probability: 0.4 });
const readsMeet =
  (effect: FaultEffect): Begin =>
  ({ story }) =>
    story.faults.inject({ effect, verbs: ['get', 'list', 'watch'], probability: 0.4 });
const silent =
  (...kinds: readonly string[]): Begin =>
  ({ story }) =>
    story.faults.staleWatches(kinds);

/** What may go wrong for a while, by name. */
const troubles = {
  'a frozen cache': ({ story }) => story.faults.freezeCache(),
  'silence about claims': silent('NodeClaim'),
  'silence about nodes': silent('Node'),
  'silence about pods': silent('Pod'),
  'silence about budgets and pools': silent('PodDisruptionBudget', 'NodePool'),
  'events late and twice': ({ view }) => view.distort({ lagMs: 4000, twice: 0.3 }),
  'claims late': ({ view }) => view.distort({ kinds: ['NodeClaim'], lagMs: 15_000, twice: 0 }),
  'nodes and pods late': ({ view }) => view.distort({ kinds: ['Node', 'Pod'], lagMs: 15_000, twice: 0.5 }),
  'watches that are cut': once(({ view }) => view.cut()),
  'watches that are dropped': once(({ story }) => story.faults.dropWatches()),
  'a forgotten history': once(({ story }) => {
    story.faults.compact();
    story.faults.dropWatches();
  }),
  conflicts: writesMeet({ kind: 'refuse', code: 409 }),
  'too many requests': writesMeet({ kind: 'refuse', code: 429, retryAfterSeconds: 2 }),
  'internal errors': writesMeet({ kind: 'refuse', code: 500 }),
  'writes that time out at the gateway': writesMeet({ kind: 'refuse', code: 504 }),
  'reads that fail': readsMeet({ kind: 'refuse', code: 500 }),
  'reads that are too many': readsMeet({ kind: 'refuse', code: 429, retryAfterSeconds: 1 }),
  'lost writes': writesMeet({ kind: 'reset', when: 'before' }),
  'unanswered writes': writesMeet({ kind: 'reset', when: 'after' }),
  'no answer to any create': ({ story }) =>
    story.faults.inject({ effect: { kind: 'reset', when: 'after' }, verbs: ['create'], kinds: ['NodeClaim'] }),
  'slow writes': writesMeet({ kind: 'latency', ms: 3000 }),
  'a slow cloud': ({ cloud }) => cloud.delayAnswers(30_000),
  'a cloud whose answers are lost': ({ cloud }) => cloud.loseAnswers(60),
  'a cloud out of stock': ({ story }) => story.cloud.faults.add({ fault: { kind: 'insufficient-capacity' }, times: 2 }),
  'a restart': once(({ story }) => story.restart()),
} satisfies Record<string, Begin>;

/** One thing that goes wrong, when, and for how long. */
export interface Trouble {
  readonly what: keyof typeof troubles;
  readonly atS: number;
  readonly forS: number;
}

/** Has it begin; disposing ends it. */
export const beginTrouble = ({ what }: Trouble, troubled: Troubled): Disposable => troubles[what](troubled);

/** No trouble begins later. */
export const LAST_TROUBLE_S = 100;

const names = Object.keys(troubles) as readonly (keyof typeof troubles)[];

/** Up to six troubles, in any order and over each other. */
export const someTroubles: fc.Arbitrary<readonly Trouble[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...names),
    atS: fc.integer({ min: 0, max: LAST_TROUBLE_S }),
    forS: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** As people read them. */
export const textOfTroubles = (plan: readonly Trouble[]): string =>
  plan.map(({ what, atS, forS }) => `${what} (${atS} s to ${atS + forS} s)`).join(', ');
