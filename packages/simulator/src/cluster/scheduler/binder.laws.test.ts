import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import fc from 'fast-check';
import { aNode, aPod } from '../fixtures/builders.ts';
import type { PodWish } from '../fixtures/builders.ts';
import { MemoryApi } from '../fixtures/memory-api.ts';
import { nodes } from '../objects/node.ts';
import type { Node } from '../objects/node.ts';
import { pods } from '../objects/pod.ts';
import type { Pod } from '../objects/pod.ts';
import { startBinder } from './binder.ts';

const ZONE = 'topology.kubernetes.io/zone';
const zones = fc.constantFrom('a', 'b', 'c');

const aNodeWish = fc.record({
  zone: zones,
  cpu: fc.integer({ min: 1, max: 4 }),
  pods: fc.integer({ min: 1, max: 5 }),
  isTainted: fc.boolean(),
});
const aPodWish = fc.record({
  cpu: fc.integer({ min: 0, max: 3 }),
  zone: fc.option(zones, { nil: undefined }),
  tolerates: fc.boolean(),
  app: fc.constantFrom('x', 'y'),
  rule: fc.constantFrom('none', 'alone', 'together', 'spread'),
});
type PodDraw = typeof aPodWish extends fc.Arbitrary<infer T> ? T : never;

const wishOf = ({ cpu, zone, tolerates, app, rule }: PodDraw): PodWish => {
  const labelSelector = { matchLabels: { app } };
  const term = [{ topologyKey: ZONE, labelSelector }];
  const rules = {
    none: {},
    alone: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } } },
    together: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } } },
    spread: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector }] },
  };
  return {
    labels: { app, rule },
    requests: { cpu: String(cpu) },
    ...(zone === undefined ? {} : { nodeSelector: { [ZONE]: zone } }),
    ...(tolerates ? { tolerations: [{ key: 'gpu', operator: 'Exists' as const }] } : {}),
    ...rules[rule],
  };
};

const zoneOf = (node: Node): string => node.metadata.labels?.[ZONE] ?? '';
const cpuOf = (pod: Pod): number => Number(pod.spec.containers[0]?.resources?.requests?.['cpu'] ?? 0);
const ruleOf = (pod: Pod): string => pod.metadata.labels?.['rule'] ?? '';
const isSameApp = (a: Pod, b: Pod): boolean => a.metadata.labels?.['app'] === b.metadata.labels?.['app'];

/** The rules read off the page, slowly, for what this test draws. */
const naivelyFits = (pod: Pod, node: Node, all: { readonly nodes: readonly Node[]; readonly bound: readonly Pod[] }): boolean => {
  const here = all.bound.filter((other) => other.spec.nodeName === node.metadata.name);
  const cpu = here.reduce((sum, other) => sum + cpuOf(other), cpuOf(pod));
  const hasRoom = cpu <= Number(node.status?.allocatable?.['cpu']) && here.length + 1 <= Number(node.status?.allocatable?.['pods']);
  const isSelected = (candidate: Node): boolean => [undefined, zoneOf(candidate)].includes(pod.spec.nodeSelector?.[ZONE]);
  const isTolerated = (node.spec?.taints ?? []).length === 0 || pod.spec.tolerations !== undefined;
  const inZone = (zone: string): readonly Pod[] =>
    all.bound.filter((other) =>
      all.nodes.some((candidate) => candidate.metadata.name === other.spec.nodeName && zoneOf(candidate) === zone),
    );
  const peersIn = (zone: string): readonly Pod[] => inZone(zone).filter((other) => isSameApp(other, pod));
  const isWelcome = !peersIn(zoneOf(node)).some((other) => ruleOf(other) === 'alone');
  const counted = [...new Set(all.nodes.filter(isSelected).map(zoneOf))].map((zone) => {
    const eligible = new Set(
      all.nodes.filter((candidate) => isSelected(candidate) && zoneOf(candidate) === zone).map((one) => one.metadata.name),
    );
    return peersIn(zone).filter((other) => eligible.has(other.spec.nodeName)).length;
  });
  const rules: Readonly<Record<string, () => boolean>> = {
    none: () => true,
    alone: () => peersIn(zoneOf(node)).length === 0,
    together: () => peersIn(zoneOf(node)).length > 0 || !all.bound.some((other) => isSameApp(other, pod)),
    spread: () => peersIn(zoneOf(node)).length + 1 - Math.min(...counted) <= 1,
  };
  return hasRoom && isSelected(node) && isTolerated && isWelcome && (rules[ruleOf(pod)]?.() ?? false);
};

const settle = async (nodeDraws: readonly Node[], podDraws: readonly Pod[]): Promise<{ nodes: readonly Node[]; pods: readonly Pod[] }> => {
  const clock = fakeClock();
  const api = new MemoryApi(clock);
  using _binder = startBinder(api, clock);
  for (const pod of podDraws) api.create(pod);
  await clock.advance(1);
  for (const node of nodeDraws) {
    api.create(node);
    await clock.advance(1);
  }
  await clock.advance(1_000);
  return { nodes: api.list(nodes), pods: api.list(pods) };
};

describe('once the binder has settled', () => {
  test('no node is overfilled and no pending pod fits anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aNodeWish, { maxLength: 5 }), fc.array(aPodWish, { maxLength: 12 }), async (nodeWishes, podWishes) => {
        const drawnNodes = nodeWishes.map(({ zone, cpu, pods: most, isTainted }, index) =>
          aNode(`node-${index}`, {
            labels: { [ZONE]: zone },
            allocatable: { cpu: String(cpu), pods: String(most) },
            taints: isTainted ? [{ key: 'gpu', effect: 'NoSchedule' }] : [],
          }),
        );
        const settled = await settle(
          drawnNodes,
          podWishes.map((wish, index) => aPod(`pod-${index}`, wishOf(wish))),
        );
        const bound = settled.pods.filter((pod) => pod.spec.nodeName !== undefined);
        for (const node of settled.nodes) {
          const here = bound.filter((pod) => pod.spec.nodeName === node.metadata.name);
          expect(here.reduce((sum, pod) => sum + cpuOf(pod), 0)).toBeLessThanOrEqual(Number(node.status?.allocatable?.['cpu']));
          expect(here.length).toBeLessThanOrEqual(Number(node.status?.allocatable?.['pods']));
        }
        const pending = settled.pods.filter((pod) => pod.spec.nodeName === undefined);
        const fitting = pending.filter((pod) => settled.nodes.some((node) => naivelyFits(pod, node, { nodes: settled.nodes, bound })));
        expect(fitting.map((pod) => pod.metadata.name)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
