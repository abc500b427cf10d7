import { describe, expect, test } from '@jest/globals';
import { startLocalApi } from '@karpenter/api-server';
import { fakeClock } from '@karpenter/runtime';
import fc from 'fast-check';
import { aNode, aPod } from '../fixtures/builders.ts';
import type { PodOptions } from '../fixtures/builders.ts';
import { nodes } from '../objects/node.ts';
import type { NodeObject } from '../objects/node.ts';
import { podKind } from '../objects/pod.ts';
import type { PodObject } from '../objects/pod.ts';
import { startBinder } from './binder.ts';

const ZONE = 'topology.kubernetes.io/zone';
const zones = fc.constantFrom('a', 'b', 'c');

const someNodeOptions = fc.record({
  zone: zones,
  cpu: fc.integer({ min: 1, max: 4 }),
  pods: fc.integer({ min: 1, max: 5 }),
  isTainted: fc.boolean(),
});
const somePodOptions = fc.record({
  cpu: fc.integer({ min: 0, max: 3 }),
  zone: fc.option(zones, { nil: undefined }),
  tolerates: fc.boolean(),
  app: fc.constantFrom('x', 'y'),
  rule: fc.constantFrom('none', 'alone', 'together', 'spread'),
});
type PodDraw = typeof somePodOptions extends fc.Arbitrary<infer T> ? T : never;

const optionsOf = ({ cpu, zone, tolerates, app, rule }: PodDraw): PodOptions => {
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

const zoneOf = (node: NodeObject): string => node.metadata.labels?.[ZONE] ?? '';
const cpuOf = (pod: PodObject): number => Number(pod.spec.containers[0]?.resources?.requests?.['cpu'] ?? 0);
const ruleOf = (pod: PodObject): string => pod.metadata.labels?.['rule'] ?? '';
const isSameApp = (a: PodObject, b: PodObject): boolean => a.metadata.labels?.['app'] === b.metadata.labels?.['app'];

interface World {
  readonly nodes: readonly NodeObject[];
  readonly bound: readonly PodObject[];
}

const limitOf = (node: NodeObject, resource: string): number => Number(node.status?.allocatable?.[resource]);
const onNode = (node: NodeObject, { bound }: World): readonly PodObject[] =>
  bound.filter((pod) => pod.spec.nodeName === node.metadata.name);
const hasRoom = (pod: PodObject, node: NodeObject, world: World): boolean => {
  const here = onNode(node, world);
  const cpu = here.reduce((sum, other) => sum + cpuOf(other), cpuOf(pod));
  return cpu <= limitOf(node, 'cpu') && here.length + 1 <= limitOf(node, 'pods');
};
const isSelected = ({ spec }: PodObject, node: NodeObject): boolean => [undefined, zoneOf(node)].includes(spec.nodeSelector?.[ZONE]);
const bearsTaints = ({ spec }: PodObject, node: NodeObject): boolean =>
  (node.spec?.taints ?? []).length === 0 || (spec.tolerations ?? []).some((toleration) => toleration.key === 'gpu');

/** The rules read off the page, slowly, for what this test draws. */
const naivelyFits = (pod: PodObject, node: NodeObject, world: World): boolean => {
  const peersOn = (nodes: readonly NodeObject[]): readonly PodObject[] =>
    nodes.flatMap((one) => onNode(one, world)).filter((other) => isSameApp(other, pod));
  const inZone = (zone: string): readonly NodeObject[] => world.nodes.filter((one) => zoneOf(one) === zone);
  const peers = peersOn(inZone(zoneOf(node)));
  const selected = world.nodes.filter((one) => isSelected(pod, one));
  const counts = [...new Set(selected.map(zoneOf))].map((zone) => peersOn(selected.filter((one) => zoneOf(one) === zone)).length);
  const rules: Readonly<Record<string, () => boolean>> = {
    none: () => true,
    alone: () => peers.length === 0,
    together: () => peers.length > 0 || peersOn(world.nodes).length === 0,
    spread: () => peers.length + 1 - Math.min(...counts) <= 1,
  };
  const isWelcome = !peers.some((other) => ruleOf(other) === 'alone');
  const follows = rules[ruleOf(pod)] ?? (() => false);
  return hasRoom(pod, node, world) && isSelected(pod, node) && bearsTaints(pod, node) && isWelcome && follows();
};

const settle = async (
  nodeDraws: readonly NodeObject[],
  podDraws: readonly PodObject[],
): Promise<{ nodes: readonly NodeObject[]; pods: readonly PodObject[] }> => {
  const clock = fakeClock();
  const api = startLocalApi(clock);
  using _binder = startBinder(api, clock);
  for (const pod of podDraws) api.create(pod);
  await clock.advance(1);
  for (const node of nodeDraws) {
    api.create(node);
    await clock.advance(1);
  }
  await clock.advance(1_000);
  return { nodes: api.list(nodes), pods: api.list(podKind) };
};

describe('once the binder has settled', () => {
  test('no node is overfilled and no pending pod fits anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someNodeOptions, { maxLength: 5 }),
        fc.array(somePodOptions, { maxLength: 12 }),
        async (nodePreferences, podPreferences) => {
          const drawnNodes = nodePreferences.map(({ zone, cpu, pods: most, isTainted }, index) =>
            aNode(`node-${index}`, {
              labels: { [ZONE]: zone },
              allocatable: { cpu: String(cpu), pods: String(most) },
              taints: isTainted ? [{ key: 'gpu', effect: 'NoSchedule' }] : [],
            }),
          );
          const settled = await settle(
            drawnNodes,
            podPreferences.map((options, index) => aPod(`pod-${index}`, optionsOf(options))),
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
        },
      ),
      { numRuns: 300 },
    );
  });
});
