import { hostilePod, hostilePods, range } from './attack.ts';
import type { Attack } from './attack.ts';

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

/** The most that the API server takes of one object. */
const LARGEST_BYTES = 1.5 * 1024 * 1024;

const container = (requests: Readonly<Record<string, string>>) => ({ name: 'main', resources: { requests } });

/** Attacks by all else that a pod's spec may say. */
export const podAttacks: Readonly<Record<string, () => Attack>> = {
  '100 pods, 100 host ports each on addresses and protocols of their own': () => ({
    pods: hostilePods(100, (index) => ({
      containers: [
        {
          ...container({ cpu: '100m' }),
          ports: range(100).map((each) => ({
            ...{ containerPort: 1000 + each, hostPort: 1000 + each },
            ...{ hostIP: `10.0.${index}.${each}`, protocol: PROTOCOLS[(index + each) % 3] ?? 'TCP' },
          })),
        },
      ],
    })),
  }),
  '100 pods, 100 host ports each out of 300, on two addresses': () => ({
    pods: hostilePods(100, (index) => ({
      containers: [
        {
          ...container({ cpu: '100m' }),
          ports: range(100).map((each) => ({
            ...{ containerPort: 1000 + each, hostPort: 1000 + ((each * (index + 7) + index) % 300) },
            hostIP: `10.0.0.${(index + each) % 2}`,
          })),
        },
      ],
    })),
  }),
  '2,000 pods on one host port': () => ({
    pods: hostilePods(2000, () => ({ containers: [{ ...container({ cpu: '100m' }), ports: [{ containerPort: 80, hostPort: 80 }] }] })),
  }),
  '200 pods, 1,000 host ports each, the same on every address': () => ({
    pods: hostilePods(200, () => ({
      containers: [
        { ...container({ cpu: '100m' }), ports: range(1000).map((each) => ({ containerPort: 1000 + each, hostPort: 1000 + each })) },
      ],
    })),
  }),
  '2,000 pods of distinct shapes': () => ({
    pods: hostilePods(2000, (index) => ({
      containers: [container({ cpu: `${1000 + index}m`, memory: `${1000 + index}Mi` })],
      nodeSelector: index % 2 === 0 ? { 'kubernetes.io/os': 'linux' } : { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: `key-${index}`, operator: 'Exists' }],
    })),
  }),
  '2,000 pods with a NotIn zone of their own each': () => ({
    pods: hostilePods(2000, (index) => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: [`eastus-${index + 4}`] }] },
            ],
          },
        },
      },
    })),
  }),
  '20 pods, 10,000 tolerations each': () => ({
    pods: hostilePods(20, (index) => ({ tolerations: range(10_000).map((each) => ({ key: `key-${index}-${each}`, operator: 'Exists' })) })),
  }),
  '20 pods, 10,000 containers each': () => ({
    pods: hostilePods(20, (index) => ({
      containers: range(10_000).map((each) => ({ name: `c-${each}`, resources: { requests: { cpu: `${index + 1}m` } } })),
    })),
  }),
  '100 pods, 1,000 unknown resources each': () => ({
    pods: hostilePods(100, (index) => ({
      containers: [container(Object.fromEntries(range(1000).map((each) => [`example.com/thing-${index}-${each}`, '1'])))],
    })),
  }),
  '100 pods, a node selector of 1,000 labels each': () => ({
    pods: hostilePods(100, (index) => ({
      nodeSelector: Object.fromEntries(range(1000).map((each) => [`example.com/l-${index}-${each}`, 'x'])),
    })),
  }),
  '10 pods of 1.5 MB: environment': () => ({
    pods: hostilePods(10, () => ({
      containers: [{ ...container({ cpu: '1' }), env: [{ name: 'E', value: 'x'.repeat(LARGEST_BYTES) }] } as never],
    })),
  }),
  '10 pods of 1.5 MB: node affinity': () => ({
    pods: hostilePods(10, (index) => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: range(12_000).map((each) => ({
              matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: [`eastus-${index}-${each}`] }],
            })),
          },
        },
      },
    })),
  }),
  '10 pods of 1.5 MB: pod affinity': () => ({
    pods: hostilePods(10, (index) => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: range(10_000).map((each) => ({
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchExpressions: [{ key: `k-${each}`, operator: 'NotIn', values: [`v-${index}`] }] },
          })),
        },
      },
    })),
  }),
  '500 pods, quantities beyond all bounds': () => ({
    pods: hostilePods(500, (index) => ({
      containers: [
        container({ cpu: ['1e309', '9223372036854775807', '1e-400', '0.1n', '1E'][index % 5] ?? '1', memory: '99999999999999999999999' }),
      ],
    })),
  }),
  '500 pods, unicode and prototype keys': () => ({
    pods: hostilePods(500, (index) => ({
      labels: { constructor: 'x', toString: 'y', ключ: '值' },
      nodeSelector: JSON.parse(`{"__proto__":"x","constructor":"y","k\\u202e${index}":"\\ud800"}`) as Record<string, string>,
      containers: [container(JSON.parse('{"__proto__":"1","constructor":"1","cpu":"1"}') as Record<string, string>)],
    })),
  }),
  '200 pods, patterns that a careless regular expression never ends on': () => ({
    pods: hostilePods(200, (index) => ({
      labels: { app: `${'a'.repeat(60)}!` },
      nodeSelector: { [`${'a-'.repeat(100)}!`]: `${'a'.repeat(50_000)}!${index}` },
      containers: [container({ cpu: `${'9'.repeat(50_000)}x`, memory: `${'1'.repeat(50_000)}.${'1'.repeat(50_000)}` })],
      topologySpreadConstraints: [
        { topologyKey: `${'a.'.repeat(10_000)}/x`, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: {} } },
      ],
    })),
  }),
  '50 pods, 5,000 labels each, which selectors of one pod read': () => ({
    pods: [
      ...hostilePods(50, (index) => ({ labels: Object.fromEntries(range(5000).map((each) => [`l-${each}`, `${index}`])) })),
      hostilePod(50, {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'kubernetes.io/hostname',
                labelSelector: { matchExpressions: range(5000).map((each) => ({ key: `l-${each}`, operator: 'Exists' as const })) },
              },
            ],
          },
        },
      }),
    ],
  }),
};
