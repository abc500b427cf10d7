import type { NodeSelectorRequirement, PodAffinityTerm, TopologySpreadConstraint } from '@karpenter/core/internal';
import { eastusTypes } from '../inputs/eastus.ts';
import { hostilePods, range } from './attack.ts';
import type { Attack } from './attack.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';

const elsewhere: NodeSelectorRequirement = { key: ZONE, operator: 'NotIn', values: ['eastus-9'] };
const term = (labels: Readonly<Record<string, string>>, topologyKey = HOST): PodAffinityTerm => ({
  topologyKey,
  labelSelector: { matchLabels: labels },
});
const notIn = (key: string, values: readonly string[]): PodAffinityTerm => ({
  topologyKey: HOST,
  labelSelector: { matchExpressions: [{ key, operator: 'NotIn', values }] },
});
const hard = (topologyKey: string, app: string): TopologySpreadConstraint => ({
  ...{ topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const },
  labelSelector: { matchLabels: { app } },
});
const requiring = (...matchExpressions: readonly NodeSelectorRequirement[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
});
const nodePreferences = (count: number) =>
  range(count).map((index) => ({
    weight: 1 + (index % 100),
    preference: { matchExpressions: [{ key: ZONE, operator: 'NotIn' as const, values: [`eastus-${index + 4}`] }] },
  }));
const podPreferences = (count: number, owner = '') =>
  range(count).map((index) => ({ weight: 1 + (index % 100), podAffinityTerm: term({ [`key-${index}`]: owner }) }));

const typeNames = eastusTypes().map(({ name }) => name);

const withoutType = (index: number) => ({ key: INSTANCE_TYPE, operator: 'NotIn' as const, values: typeNames.slice(index, index + 1) });

/** Attacks by node affinity, pod affinity and spreads. */
export const affinityAttacks: Readonly<Record<string, () => Attack>> = {
  '3 pods, 1,000 node and 1,000 pod preferences, an affinity that nothing meets': () => ({
    pods: hostilePods(3, () => ({
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: nodePreferences(1000) },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: podPreferences(1000) },
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({ app: 'nothing' }, ZONE)] },
      },
    })),
  }),
  '200 pods, four hard spreads each and a NotIn zone': () => ({
    pods: hostilePods(200, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { nodeAffinity: requiring(elsewhere) },
      topologySpreadConstraints: [ZONE, HOST, 'karpenter.sh/capacity-type', 'kubernetes.io/arch'].map((key) => hard(key, `app-${index}`)),
    })),
  }),
  '2,500 pods that each exclude all others from their host': () => ({
    pods: hostilePods(2500, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [notIn('app', [`app-${index}`])] } },
    })),
  }),
  '8 pods, 5,000 expressions about one label each': () => ({
    pods: hostilePods(8, (pod) => ({
      affinity: {
        nodeAffinity: requiring(...range(5000).map((index) => ({ ...elsewhere, values: [`eastus-${pod * 5000 + index + 4}`] }))),
      },
    })),
  }),
  '100 pods, hard spreads over zone and instance type': () => ({
    pods: hostilePods(100, (index) => ({
      labels: { app: `app-${index}` },
      topologySpreadConstraints: [ZONE, 'node.kubernetes.io/instance-type'].map((key) => hard(key, `app-${index}`)),
    })),
  }),
  '100 pods, hard spreads over zone, instance type and capacity type, each without a type of its own': () => ({
    pods: hostilePods(100, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { nodeAffinity: requiring(withoutType(index)) },
      topologySpreadConstraints: [ZONE, INSTANCE_TYPE, 'karpenter.sh/capacity-type'].map((key) => hard(key, `app-${index}`)),
    })),
  }),
  '300 pods, a hard spread over zones, each without an instance type of its own': () => ({
    pods: hostilePods(300, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { nodeAffinity: requiring(withoutType(index)) },
      topologySpreadConstraints: [hard(ZONE, `app-${index}`)],
    })),
  }),
  '1 pod, 500 OR-ed terms and 500 preferences': () => ({
    pods: hostilePods(1, () => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: range(500).map((index) => ({
              matchExpressions: [elsewhere, { key: ZONE, operator: 'NotIn', values: [`eastus-${index + 1000}`] }],
            })),
          },
          preferredDuringSchedulingIgnoredDuringExecution: nodePreferences(500),
        },
      },
    })),
  }),
  '100 pods, 100 anti-affinity terms each over NotIn selectors': () => ({
    pods: hostilePods(100, (index) => ({
      labels: { app: `app-${index}` },
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: range(100).map((each) => notIn(`k-${each}`, [`${index}`])) },
      },
    })),
  }),
  '1,000 pods, each next to itself alone': () => ({
    pods: hostilePods(1000, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({ app: `app-${index}` }, ZONE)] } },
    })),
  }),
  '500 pods, each next to the next one': () => ({
    pods: hostilePods(500, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({ app: `app-${index + 1}` }, ZONE)] } },
    })),
  }),
  '500 pods, 20 preferred anti-affinity terms of their own each': () => ({
    pods: hostilePods(500, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: podPreferences(20, String(index)) } },
    })),
  }),
  '20 pods, a spread over six well-known keys': () => ({
    pods: hostilePods(20, (index) => ({
      labels: { app: `app-${index}` },
      topologySpreadConstraints: [
        ...[ZONE, HOST, 'node.kubernetes.io/instance-type', 'karpenter.sh/capacity-type', 'kubernetes.io/arch', 'kubernetes.io/os'],
      ].map((key) => hard(key, `app-${index}`)),
    })),
  }),
  '100 pods, 300 soft spreads over keys of their own each': () => ({
    pods: hostilePods(100, (index) => ({
      labels: { app: `app-${index}` },
      topologySpreadConstraints: range(300).map((each) => ({
        ...hard(`example.com/key-${index}-${each}`, `app-${index}`),
        whenUnsatisfiable: 'ScheduleAnyway',
      })),
    })),
  }),
  '50 pods, a node selector term with 10,000 values': () => ({
    pods: hostilePods(50, (index) => ({
      affinity: {
        nodeAffinity: requiring({
          ...{ key: 'node.kubernetes.io/instance-type', operator: 'NotIn' },
          values: range(10_000).map((each) => `type-${index}-${each}`),
        }),
      },
    })),
  }),
  '50 pods, a label selector with 10,000 values': () => ({
    pods: hostilePods(50, (index) => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            notIn(
              'app',
              range(10_000).map((each) => `app-${index}-${each}`),
            ),
          ],
        },
      },
    })),
  }),
  '100 pods, affinity in 5,000 named namespaces each': () => ({
    pods: hostilePods(100, (index) => ({
      labels: { app: `app-${index}` },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { ...term({ app: `app-${index}` }), namespaces: range(5000).map((each) => `namespace-${index}-${each}`) },
          ],
        },
      },
    })),
  }),
  '500 pods, a namespace selector each, 5,000 namespaces': () => ({
    pods: hostilePods(500, (index) => ({
      labels: { app: `app-${index}` },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              ...term({ app: `app-${index}` }),
              namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: [`team-${index}`] }] },
            },
          ],
        },
      },
    })),
    namespaceLabels: new Map(range(5000).map((index) => [`namespace-${index}`, { team: `team-${index}` }])),
  }),
  '2,000 running pods with an anti-affinity of their own': () => ({
    running: hostilePods(2000, (index) => ({
      labels: { app: `app-${index}` },
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term({ app: `app-${index}` })] } },
    })),
  }),
  '300 pods, a match label key for each of 50 labels': () => ({
    pods: hostilePods(300, (index) => ({
      labels: Object.fromEntries(range(50).map((each) => [`label-${each}`, `${index}`])),
      topologySpreadConstraints: [{ ...hard(ZONE, `app-${index}`), matchLabelKeys: range(50).map((each) => `label-${each}`) }],
    })),
  }),
  'a spread of 300 pods with a skew and a number of domains beyond all bounds': () => ({
    pods: hostilePods(300, (index) => ({
      labels: { app: 'wide' },
      topologySpreadConstraints: [{ ...hard(ZONE, 'wide'), maxSkew: 2_147_483_647, minDomains: 2_147_483_647 - index }],
    })),
  }),
};
