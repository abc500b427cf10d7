import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { parseAllDocuments } from 'yaml';
import { crdFiles } from '../testing/live-cluster.ts';
import { convertDocuments } from './convert-documents.ts';

const provisioner = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: default, annotations: { karpenter.sh/provisioner-hash: "1" } }
spec:
  providerRef: { name: default }
  labels: { team: web }
  annotations: { karpenter.sh/do-not-consolidate: "true" }
  requirements:
    - { key: karpenter.sh/capacity-type, operator: In, values: [spot] }
  limits: { resources: { cpu: "1000", memory: 1000Gi } }
  ttlSecondsUntilExpired: 2592000
  ttlSecondsAfterEmpty: 30
  kubeletConfiguration: { maxPods: 50 }
  weight: 10
`;

const consolidating = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: consolidating }
spec:
  providerRef: { name: default, kind: AWSNodeTemplate, apiVersion: karpenter.k8s.aws/v1alpha1 }
  consolidation: { enabled: true }
`;

const nodePool = `
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: { name: general, uid: 0-1, resourceVersion: "7", annotations: { karpenter.sh/nodepool-hash: "12" } }
spec:
  template:
    metadata: { labels: { team: web } }
    spec:
      nodeClassRef: { apiVersion: karpenter.azure.com/v1alpha2, kind: AKSNodeClass, name: default }
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64], minValues: 1 }
      startupTaints: [{ key: example.com/wait, effect: NoExecute }]
      kubelet: { maxPods: 110 }
  disruption:
    consolidationPolicy: WhenUnderutilized
    expireAfter: Never
    budgets: [{ nodes: "20%" }, { nodes: "0", schedule: "@daily", duration: 10m }]
  limits: { cpu: 100 }
  weight: 5
status: { resources: { cpu: "4" } }
`;

const nodeClaim = `
apiVersion: karpenter.sh/v1beta1
kind: NodeClaim
metadata: { name: general-abcde, finalizers: [karpenter.sh/termination] }
spec:
  nodeClassRef: { name: default }
  requirements: [{ key: kubernetes.io/os, operator: In, values: [linux] }]
  resources: { requests: { cpu: "1" } }
`;

const nodeClass = `
apiVersion: karpenter.azure.com/v1alpha2
kind: AKSNodeClass
metadata: { name: default }
spec: { imageFamily: AzureLinux, osDiskSizeGB: 60, imageVersion: 202401.1.0, tags: { team: web } }
`;

interface Converted {
  readonly manifests: readonly { readonly apiVersion: string; readonly kind: string; readonly metadata: object; readonly spec: object }[];
  readonly notes: readonly string[];
}

const convert = (text: string): Converted => {
  const converted = convertDocuments(text, 'manifests.yaml');
  if (!converted.ok) throw new Error(converted.problems.join('\n'));
  return {
    manifests: parseAllDocuments(converted.text).map((document) => document.toJS() as Converted['manifests'][number]),
    notes: converted.notes,
  };
};

describe('a Provisioner', () => {
  test('becomes a NodePool that deletes empty nodes, with the defaults of its API version written down', () => {
    const { manifests, notes } = convert(provisioner);
    expect(manifests).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        metadata: { name: 'default' },
        spec: {
          template: {
            metadata: { labels: { team: 'web' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
            spec: {
              requirements: [
                { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
                { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
                { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
              ],
              nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
              expireAfter: '720h0m0s',
            },
          },
          disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
          limits: { cpu: '1000', memory: '1000Gi' },
          weight: 10,
        },
      },
    ]);
    expect(notes).toEqual([
      'Provisioner default: spec.annotations[karpenter.sh/do-not-consolidate]: is karpenter.sh/do-not-disrupt now',
      'Provisioner default: spec.requirements: kubernetes.io/arch In [amd64] added: v1alpha5 took it for granted, v1 would launch any',
      'Provisioner default: spec.requirements: kubernetes.io/os In [linux] added: v1alpha5 took it for granted, v1 would launch any',
      'Provisioner default: spec.kubeletConfiguration: left out: kubelet settings are part of the AKSNodeClass now (spec.kubelet): {"maxPods":50}',
      'Provisioner default: spec: v1 disrupts at most 10 % of a pool at a time; say otherwise in spec.disruption.budgets',
    ]);
  });

  test('that consolidates and never expires says so in the new words, and names the class that is still to be written', () => {
    const { manifests, notes } = convert(consolidating);
    expect(manifests[0]?.spec).toMatchObject({
      template: { spec: { nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' }, expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    });
    expect(notes).toContainEqual(
      'Provisioner consolidating: spec.providerRef: names AWSNodeTemplate default of karpenter.k8s.aws: write AKSNodeClass default in its place',
    );
  });
});

test('a NodePool v1beta1: the lifetime moves to the template, the policy gets its present name, the kubelet is said to be left out', () => {
  const { manifests, notes } = convert(nodePool);
  expect(manifests).toEqual([
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general' },
      spec: {
        template: {
          metadata: { labels: { team: 'web' } },
          spec: {
            requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'], minValues: 1 }],
            startupTaints: [{ key: 'example.com/wait', effect: 'NoExecute' }],
            nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
            expireAfter: 'Never',
          },
        },
        disruption: {
          consolidationPolicy: 'WhenEmptyOrUnderutilized',
          consolidateAfter: '0s',
          budgets: [{ nodes: '20%' }, { nodes: '0', schedule: '@daily', duration: '10m' }],
        },
        limits: { cpu: 100 },
        weight: 5,
      },
    },
  ]);
  expect(notes).toEqual([
    'NodePool general: spec.template.spec.kubelet: left out: kubelet settings are part of the AKSNodeClass now (spec.kubelet): {"maxPods":110}',
  ]);
});

test('a NodePool v1beta1 without budgets, and one that allows everything, stay what they are', () => {
  const withBudgets = (budgets: string): string =>
    `{apiVersion: karpenter.sh/v1beta1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {nodeClassRef: {name: a}}}, disruption: {${budgets}}}}`;
  expect(convert(withBudgets('budgets: []')).manifests[0]?.spec).toMatchObject({ disruption: { budgets: [] } });
  expect(convert(withBudgets('')).manifests[0]?.spec).toMatchObject({
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
  });
});

test('an AKSNodeClass v1alpha2: what only the previews had is left out, and said', () => {
  expect(convert(nodeClass)).toEqual({
    manifests: [
      {
        apiVersion: 'karpenter.azure.com/v1beta1',
        kind: 'AKSNodeClass',
        metadata: { name: 'default' },
        spec: { imageFamily: 'AzureLinux', osDiskSizeGB: 60, tags: { team: 'web' } },
      },
    ],
    notes: ['AKSNodeClass default: spec.imageVersion: left out: the newer version has no such field'],
  });
});

test('a current document keeps its text and comments; a workload with a former name gets a note', () => {
  const text = `# of the web team
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    metadata:
      annotations:
        karpenter.sh/do-not-evict: "true" # while it counts
    spec:
      nodeSelector:
        karpenter.sh/provisioner-name: default
`;
  expect(convertDocuments(text, 'web.yaml')).toEqual({
    ok: true,
    text,
    canBeApplied: true,
    notes: [
      'Deployment web: spec.template.metadata.annotations.karpenter.sh/do-not-evict: karpenter.sh/do-not-evict is karpenter.sh/do-not-disrupt now',
      'Deployment web: spec.template.spec.nodeSelector.karpenter.sh/provisioner-name: karpenter.sh/provisioner-name is karpenter.sh/nodepool now',
    ],
  });
});

test('a half-migrated document keeps its text and gets a note for each field that is still where v1beta1 had it', () => {
  const text = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: half }
spec:
  template:
    spec:
      nodeClassRef: { apiVersion: karpenter.azure.com/v1alpha2, kind: AKSNodeClass, name: default }
      kubelet: { maxPods: 110 }
  disruption: { consolidationPolicy: WhenUnderutilized, expireAfter: Never }
`;
  expect(convertDocuments(text, 'half.yaml')).toEqual({
    ok: true,
    text,
    canBeApplied: false,
    notes: [
      'NodePool half: spec.disruption.expireAfter: is spec.template.spec.expireAfter now',
      'NodePool half: spec.disruption.consolidationPolicy: WhenUnderutilized is WhenEmptyOrUnderutilized now',
      'NodePool half: spec.template.spec.kubelet: kubelet settings are part of the NodeClass now (spec.kubelet)',
      'NodePool half: spec.template.spec.nodeClassRef.apiVersion: is group now, without the version',
    ],
  });
});

test('what a pool said of its nodes and v1 refuses or never read is left out, and said', () => {
  const former = 'karpenter.sh/provisioner-name';
  const { manifests, notes } = convert(
    `{apiVersion: karpenter.sh/v1beta1, kind: NodePool, metadata: {name: a}, spec: {template: {metadata: {labels: {${former}: a, team: web}}, spec: {nodeClassRef: {name: a}, resources: {requests: {cpu: 1}}}}}}`,
  );
  expect(manifests[0]?.spec).toMatchObject({ template: { metadata: { labels: { team: 'web' } } } });
  expect(manifests[0]?.spec).not.toHaveProperty(['template', 'metadata', 'labels', former]);
  expect(notes).toEqual(
    expect.arrayContaining([
      `NodePool a: spec.template.metadata.labels[${former}]: left out: Karpenter writes karpenter.sh/nodepool on every node`,
      'NodePool a: spec.template.spec.resources: left out: the newer version has no such field',
    ]),
  );
});

test('a List is taken apart; converting twice changes nothing more', () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${nodePool.trim().replaceAll('\n', '\n  ')}\n- ${nodeClass.trim().replaceAll('\n', '\n  ')}\n`;
  const once = convertDocuments(list, 'list.yaml');
  if (!once.ok) throw new Error(once.problems.join('\n'));
  expect(convert(list).manifests.map(({ kind }) => kind)).toEqual(['NodePool', 'AKSNodeClass']);
  expect(convertDocuments(once.text, 'list.yaml')).toEqual({ ok: true, text: once.text, notes: [], canBeApplied: true });
});

test('what a chart renders: documents with nothing but a comment are passed over, and long lines stay whole', () => {
  const long = 'this is one line of more than eighty columns, and whoever wrote it would like to find it again as it was written';
  const current = `apiVersion: v1\nkind: ConfigMap # kept\nmetadata: {name: a}\ndata:\n    text: ${long}\n    folded: >\n        ${long}\n`;
  const rendered = `---\n# Source: chart/a.yaml\n${current}---\n# Source: chart/empty.yaml\n---\n---\n${nodeClass.trim()}\n`;
  const converted = convertDocuments(rendered, 'rendered.yaml');
  expect(converted).toMatchObject({ ok: true, notes: [expect.stringContaining('spec.imageVersion')] });
  const [first, second, ...more] = converted.ok ? converted.text.split('---\n') : [];
  expect(first).toBe(`# Source: chart/a.yaml\n${current}`);
  expect(second).toContain('apiVersion: karpenter.azure.com/v1beta1');
  expect(more).toEqual([]);
});

test('documents come apart again where line ends, directives and a mark of byte order are those of another system', () => {
  const written = '\uFEFF%YAML 1.2\r\n---\r\napiVersion: v1\r\nkind: A\r\n--- # second\r\napiVersion: v1\r\nkind: B';
  const converted = convertDocuments(written, 'windows.yaml');
  expect(converted).toMatchObject({ ok: true });
  expect(parseAllDocuments(converted.ok ? converted.text : '').map((document) => document.toJS() as unknown)).toEqual([
    { apiVersion: 'v1', kind: 'A' },
    { apiVersion: 'v1', kind: 'B' },
  ]);
});

test('a list of its own kind, and one in another, are taken apart too', () => {
  const pool =
    '{apiVersion: karpenter.sh/v1beta1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {nodeClassRef: {name: a}}}}}';
  const typed = `{apiVersion: karpenter.sh/v1beta1, kind: NodePoolList, items: [${pool}]}`;
  for (const text of [typed, `{apiVersion: v1, kind: List, items: [${typed}]}`])
    expect(convert(text).manifests).toMatchObject([{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool' }]);
});

test('a Provisioner that names an architecture by its former label gets no other beside it, and one of weight 0 none', () => {
  const spec = '{weight: 0, providerRef: {name: a}, requirements: [{key: beta.kubernetes.io/arch, operator: In, values: [arm64]}]}';
  const [pool] = convert(`{apiVersion: karpenter.sh/v1alpha5, kind: Provisioner, metadata: {name: a}, spec: ${spec}}`).manifests;
  expect(JSON.stringify(pool?.spec)).not.toContain('amd64');
  expect(pool?.spec).not.toHaveProperty('weight');
});

test.each([
  [
    'Provisioner',
    'v1alpha5',
    '{providerRef: {name: a}, ttlSecondsAfterEmpty: soon}',
    'spec.ttlSecondsAfterEmpty: left out: "soon" is no number of seconds',
  ],
  ['Provisioner', 'v1alpha5', '{providerRef: {name: a}, limits: {nodes: 3}}', 'spec.limits.nodes: left out'],
  ['Provisioner', 'v1alpha5', '{providerRef: {name: a, group: b}}', 'spec.providerRef.group: left out'],
  ['NodePool', 'v1beta1', '{template: {count: 3, spec: {nodeClassRef: {name: a}}}}', 'spec.template.count: left out'],
  ['NodePool', 'v1beta1', '{template: {metadata: {name: b}, spec: {nodeClassRef: {name: a}}}}', 'spec.template.metadata.name: left out'],
  ['Provisioner', 'v1alpha5', '{providerRef: a}', 'spec.providerRef: is "a": expected an object'],
  ['NodePool', 'v1beta1', '{template: 5}', 'spec.template: is 5: expected an object'],
  ['NodePool', 'v1beta1', '{limits: [1]}', 'spec.limits: is [1]: expected an object'],
  ['NodePool', 'v1beta1', '{template: {spec: {requirements: {a: b}}}}', 'spec.template.spec.requirements: is {"a":"b"}: expected a list'],
  ['NodeClaim', 'v1beta1', 'none', 'spec: is "none": expected an object'],
  ['Machine', 'v1alpha5', '{}', 'kind: Machine of karpenter.sh/v1alpha5 is no longer known'],
])('%s %s %s: what is not carried over is said', (...[kind, version, spec, said]) => {
  const { notes } = convert(`{apiVersion: karpenter.sh/${version}, kind: ${kind}, metadata: {name: a}, spec: ${spec}}`);
  expect(notes.filter((note) => note.startsWith(`${kind} a: ${said}`))).toHaveLength(1);
});

test('seconds may be written as a text', () => {
  const spec = '{providerRef: {name: a}, ttlSecondsAfterEmpty: "30"}';
  expect(
    convert(`{apiVersion: karpenter.sh/v1alpha5, kind: Provisioner, metadata: {name: a}, spec: ${spec}}`).manifests[0]?.spec,
  ).toMatchObject({
    disruption: { consolidateAfter: '30s' },
  });
});

test.each([
  ['no YAML', 'a: [', /^bad\.yaml: .+ at line 1/],
  ['no Kubernetes object', 'a: 1', /expected Kubernetes objects, each with apiVersion and kind/],
  ['nothing at all', '', /expected Kubernetes objects/],
  [
    'a template',
    'apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata:\n  name: {{ .Values.name }}\n',
    /^bad\.yaml: expected manifests, not a template .*: render it first/,
  ],
])('%s is one clear sentence', (_name, text, sentence) => {
  const converted = convertDocuments(text, 'bad.yaml');
  expect(converted.ok ? converted.text : converted.problems.join('\n')).toMatch(sentence);
});

describe('on the API server', () => {
  let cluster: EmbeddedCluster;

  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: crdFiles, azure: false, systemPool: false });
  });

  afterAll(() => cluster.stop());

  const paths: Readonly<Record<string, string>> = {
    NodePool: '/apis/karpenter.sh/v1/nodepools',
    NodeClaim: '/apis/karpenter.sh/v1/nodeclaims',
    AKSNodeClass: '/apis/karpenter.azure.com/v1beta1/aksnodeclasses',
  };

  /** What the server says against the object; undefined when it takes it and knows every field. */
  const refusalOf = async (manifest: Converted['manifests'][number]): Promise<string | undefined> => {
    const path = paths[manifest.kind];
    if (path?.startsWith(`/apis/${manifest.apiVersion}/`) !== true) return 'no such kind';
    const response = await fetch(`${cluster.apiUrl}${path}?fieldValidation=Strict&dryRun=All`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(manifest),
    });
    return response.status === 201 ? undefined : ((await response.json()) as { readonly message: string }).message;
  };

  test.each([
    ['Provisioner', provisioner],
    ['consolidating Provisioner', consolidating],
    ['NodePool', nodePool],
    ['NodeClaim', nodeClaim],
    ['AKSNodeClass', nodeClass],
  ])('the converted %s is taken, and nothing in it is unknown', async (_name, text) => {
    const [manifest] = convert(text).manifests;
    expect(manifest && (await refusalOf(manifest))).toBeUndefined();
  });

  const half = 'template: {spec: {nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: a}, requirements: []}}';
  test.each([
    ['a Provisioner without a class', 'karpenter.sh/v1alpha5, kind: Provisioner', '{provider: {subnet: a}}'],
    ['a Machine, which is no longer known', 'karpenter.sh/v1alpha5, kind: Machine', '{}'],
    ['limits that are a list', 'karpenter.sh/v1beta1, kind: NodePool', '{template: {spec: {nodeClassRef: {name: a}}}, limits: [1]}'],
    ['a lifetime where v1beta1 had it', 'karpenter.sh/v1, kind: NodePool', `{${half}, disruption: {expireAfter: Never}}`],
    [
      'a policy of v1beta1',
      'karpenter.sh/v1, kind: NodePool',
      `{${half}, disruption: {consolidationPolicy: WhenUnderutilized, consolidateAfter: 0s}}`,
    ],
  ])('%s: refused by the server, and convert says that it cannot be applied', async (...[, kind, spec]) => {
    const text = `{apiVersion: ${kind}, metadata: {name: a}, spec: ${spec}}`;
    const [manifest] = convert(text).manifests;
    expect(manifest && (await refusalOf(manifest))).toEqual(expect.any(String));
    expect(convertDocuments(text, 'a.yaml')).toMatchObject({ canBeApplied: false });
  });
});

test('names that every object has (constructor, toString) are texts like others: nothing is put in their place', () => {
  const text = `
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: { name: general, annotations: { constructor: toString } }
spec:
  disruption: { consolidationPolicy: constructor }
  template:
    spec: { requirements: [], nodeClassRef: { name: default } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: odd }
data: { constructor: valueOf }
`;
  const converted = convertDocuments(text, 'odd.yaml');
  if (!converted.ok) throw new Error(converted.problems.join());
  const [pool] = parseAllDocuments(converted.text).map((document) => document.toJS() as unknown);
  expect(pool).toMatchObject({
    metadata: { annotations: { constructor: 'toString' } },
    spec: { disruption: { consolidationPolicy: 'constructor' } },
  });
  expect(converted.notes.join()).not.toContain('native code');
});
