import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultLabelCatalog } from '../../apis/index.ts';
import type { RequirementSpec } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import { compilingCatalog } from '../../catalog/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { DaemonSet, NodeSelectorOperator } from '../../kube/index.ts';
import { firstConflict, requirementsOf } from '../../requirements/index.ts';
import { daemonsOf, groupingByDaemons } from './daemon-overhead.ts';

const value = fc.constantFrom('1', '2', '3');
const labelSpec: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.record({
    key: fc.constantFrom('a', 'b'),
    operator: fc.constantFrom<NodeSelectorOperator>('In', 'NotIn'),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constantFrom<NodeSelectorOperator>('Exists', 'DoesNotExist') }),
  fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constantFrom<NodeSelectorOperator>('Gt', 'Lt'), values: fc.tuple(value) }),
);

const typesRequiring = (specs: readonly (readonly RequirementSpec[])[]): readonly InstanceType[] =>
  specs.map((spec, index) => ({
    ...{ name: `type-${index}`, capacity: { cpu: 4000 }, overhead: {} },
    requirements: requirementsOf(spec),
    offerings: [],
  }));

const daemonSetsOf = (specs: readonly (readonly (readonly RequirementSpec[])[])[]): readonly DaemonSet[] =>
  specs.map((terms, index) => ({
    metadata: { name: `daemon-${index}`, namespace: 'shop' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'main', resources: { requests: { cpu: `${index + 1}m` } } }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
              },
            },
          },
        },
      },
    },
  }));

test('each type is in one group, with the daemons that have a term without conflict, and what these take together', () => {
  const typeSpecs = fc.array(fc.array(labelSpec, { maxLength: 2 }), { minLength: 1, maxLength: 6 });
  const termSpecs = fc.array(fc.array(labelSpec, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(typeSpecs, fc.array(termSpecs, { maxLength: 5 }), (types, daemons) => {
      const catalog = finish(compilingCatalog(typesRequiring(types)));
      const read = daemonsOf(daemonSetsOf(daemons), defaultLabelCatalog);
      const template = { requirements: requirementsOf([]), taints: [] };
      const labelCatalog = { ...defaultLabelCatalog, wellKnown: new Set(['a', 'b']) };
      const groups = finish(groupingByDaemons(read, catalog, { template, labelCatalog }));
      expect(groups.flatMap((group) => group.types).sort((a, b) => a - b)).toEqual([...catalog.types.keys()]);
      for (const group of groups)
        for (const type of group.types) {
          const own = catalog.types[type]?.requirements ?? new Map();
          const running = read.filter(({ alternatives }) => alternatives.some((each) => firstConflict(own, each) === undefined));
          expect(group.daemons).toEqual(running.map(({ name }) => name));
          const cpu = running.reduce((sum, { requests }) => sum + (requests['cpu'] ?? 0), 0);
          expect(group.overhead['cpu'] ?? 0).toBe(cpu);
        }
      expect(new Set(groups.map((group) => group.daemons.join(' '))).size).toBe(groups.length);
    }),
  );
});
