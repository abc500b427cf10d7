import type { Pod } from '@karpenter/core';
import type { LabelSelector } from '@karpenter/core/internal';
import {
  aNodePool,
  aPod,
  aSnapshot,
  awayFrom,
  labelled,
  nextTo,
  ratherAwayFrom,
  requesting,
  requiringAnyOf,
  somePods,
  someTopology,
  spreadOver,
} from '@karpenter/testkit';
import fc from 'fast-check';
import { eastusTypes } from '../inputs/eastus.ts';
import { inputRandom } from '../inputs/random.ts';
import type { Figure } from '../report.ts';
import { checkSound } from './check-plan.ts';
import { cheapest } from './policies.ts';
import { STEP_BAR_MS, planInSteps } from './steps.ts';

const PODS = 1000;
const SEEDS = [1, 2, 3];
const MOST_MS = 2000;

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const zones = ['eastus-1', 'eastus-2', 'eastus-3'];

/** Pods as the laws draw them: any selector, affinity, preference, toleration and up to three constraints on other pods. */
const drawnPods = (seed: number): readonly Pod[] =>
  fc
    .sample(somePods(3, someTopology), { numRuns: 2 * PODS, seed })
    .flat()
    .slice(0, PODS);

/** Every pod has a label and terms of its own, which name other pods: no two are of one class. */
const podsWithOwnTerms = (seed: number): readonly Pod[] => {
  const random = inputRandom(seed);
  const another = (): LabelSelector => ({ matchLabels: { app: `app-${random.below(PODS)}` } });
  return Array.from({ length: PODS }, (_, index) => {
    const own = { app: `app-${index}` };
    const terms = [1, 2].map(() => ({ matchExpressions: [{ key: zone, operator: 'In' as const, values: [random.oneOf(zones)] }] }));
    return aPod(
      labelled(own),
      requesting({ cpuMillis: 100 + random.below(2000), memoryBytes: (64 + random.below(8192)) * 1024 ** 2 }),
      requiringAnyOf(...terms),
      awayFrom({ topologyKey: hostname, labelSelector: another() }),
      ratherAwayFrom(1 + random.below(100), { topologyKey: zone, labelSelector: another() }),
      index % 2 === 0
        ? nextTo({ topologyKey: zone, labelSelector: { matchLabels: own } })
        : spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: own } }),
    );
  });
};

const kinds: Readonly<Record<string, (seed: number) => readonly Pod[]>> = {
  'as the laws draw them': drawnPods,
  'each with terms of its own': podsWithOwnTerms,
};

/** 1,000 pods that have little in common, the worst of three draws of each kind. Pods that find no place are part of it. */
export const randomPods = (): readonly Figure[] =>
  Object.entries(kinds).flatMap(([kind, podsOf]) => {
    const runs = SEEDS.map((seed) => {
      const snapshot = aSnapshot({
        pending: podsOf(seed),
        instanceTypes: eastusTypes(),
        nodePools: [aNodePool({ labels: { team: 'red' } })],
        namespaceLabels: new Map([['shop', { tier: 'front' }]]),
      });
      const { plan, stepsMs } = planInSteps(snapshot, cheapest);
      checkSound(snapshot, cheapest, plan);
      return { ms: stepsMs.reduce((sum, each) => sum + each, 0), longestMs: stepsMs[0] ?? 0, left: plan.rejections.length };
    });
    const worst = (of: (run: (typeof runs)[number]) => number): number => Math.max(...runs.map(of));
    const name = `${PODS} random pods, ${kind}, worst of ${SEEDS.length}`;
    return [
      { case: `${name}: processor time`, figure: worst(({ ms }) => ms), unit: 'ms', atMost: MOST_MS },
      { case: `${name}: longest step`, figure: worst(({ longestMs }) => longestMs), unit: 'ms', atMost: STEP_BAR_MS },
      { case: `${name}: pods left over`, figure: worst(({ left }) => left), unit: 'pods' },
    ];
  });
