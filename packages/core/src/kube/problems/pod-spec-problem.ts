import { shapeProblem } from '../../base/index.ts';
import type { FieldProblem, Shape } from '../../base/index.ts';
import type { ResourceList } from '../object-meta.ts';
import type { Container, PodSpec, ResourceRequirements } from '../pods/pod.ts';
import { parseQuantity } from '../quantity.ts';
import { affinityProblem, firstProblem, spreadProblem, tolerationProblem } from './placement-problem.ts';

const texts: Shape = { list: 'text' };
const expressions: Shape = { list: { fields: { key: 'text', operator: 'text', values: texts }, needs: ['key'] } };
/** What the parts of a label selector have to be. */
export const labelSelectorShape: Shape = { fields: { matchLabels: { record: 'text' }, matchExpressions: expressions } };
const nodeTerm: Shape = { fields: { matchExpressions: expressions, matchFields: expressions } };

const podTerm: Shape = {
  fields: {
    topologyKey: 'text',
    labelSelector: labelSelectorShape,
    namespaces: texts,
    namespaceSelector: labelSelectorShape,
    matchLabelKeys: texts,
    mismatchLabelKeys: texts,
  },
};

const nodeAffinity: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { fields: { nodeSelectorTerms: { list: nodeTerm } } },
    preferredDuringSchedulingIgnoredDuringExecution: { list: { fields: { weight: 'number', preference: nodeTerm } } },
  },
};

const podAffinity: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { list: podTerm },
    preferredDuringSchedulingIgnoredDuringExecution: { list: { fields: { weight: 'number', podAffinityTerm: podTerm } } },
  },
};

const amounts: Shape = { record: 'amount' };
const resources: Shape = { fields: { requests: amounts, limits: amounts } };
const ports: Shape = { list: { fields: { hostPort: 'number', hostIP: 'text', protocol: 'text' } } };
const containers: Shape = { list: { fields: { resources, ports, restartPolicy: 'text' } } };

/** What the containers of a pod's spec have to be, as far as scheduling reads them. */
const podContainersShape: Shape = { fields: { containers, initContainers: containers }, needs: ['containers'] };

/** The same of what is said outside of the containers; volumes have a shape of their own. */
const podFrameShape: Shape = {
  fields: {
    resources,
    overhead: amounts,
    nodeSelector: { record: 'text' },
    affinity: { fields: { nodeAffinity, podAffinity, podAntiAffinity: podAffinity } },
    tolerations: { list: { fields: { key: 'text', operator: 'text', value: 'text', effect: 'text' } } },
    topologySpreadConstraints: {
      list: {
        fields: {
          maxSkew: 'number',
          topologyKey: 'text',
          whenUnsatisfiable: 'text',
          labelSelector: labelSelectorShape,
          minDomains: 'number',
          nodeAffinityPolicy: 'text',
          nodeTaintsPolicy: 'text',
          matchLabelKeys: texts,
        },
      },
    },
    resourceClaims: {
      list: { fields: { name: 'text', resourceClaimName: 'text', resourceClaimTemplateName: 'text' } },
    },
  },
};

/** The same of what takes room of a node. */
export const podRoomShape: Shape = { fields: { spec: { fields: { containers, initContainers: containers } } } };

/** The same of its volumes, and of what says where it runs. */
export const podPlaceShape: Shape = {
  fields: {
    nodeName: 'text',
    schedulingGates: { list: { fields: { name: 'text' } } },
    volumes: {
      list: {
        fields: {
          name: 'text',
          persistentVolumeClaim: { fields: { claimName: 'text' }, needs: ['claimName'] },
          ephemeral: {
            fields: { volumeClaimTemplate: { fields: { spec: { fields: { storageClassName: 'text', accessModes: texts } } } } },
          },
        },
        needs: ['name'],
      },
    },
  },
};

/** What the terms of a node selector have to be. */
export const nodeTermsShape: Shape = { list: nodeTerm };

const problemOf = (field: string, text: string): FieldProblem | undefined => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return { field, value: text, problem: 'is no quantity; write a number like 1500m, 2Gi, 1e3 or 0.5' };
  return quantity.nanos < 0n ? { field, value: text, problem: 'must not be negative' } : undefined;
};

/** The first amount of a resource list that is no quantity, or less than nothing. */
export const quantityProblem = (field: string, list: ResourceList = {}): FieldProblem | undefined => {
  for (const [name, amount] of Object.entries(list)) {
    const problem = problemOf(`${field}.${name}`, String(amount));
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const resourcesProblem = (field: string, { requests, limits }: ResourceRequirements = {}): FieldProblem | undefined =>
  quantityProblem(`${field}.requests`, requests) ?? quantityProblem(`${field}.limits`, limits);

const containersProblem = (field: string, containers: readonly Container[] = []): FieldProblem | undefined =>
  firstProblem(
    containers.map(
      ({ resources }, i) =>
        () =>
          resourcesProblem(`${field}[${i}].resources`, resources),
    ),
  );

/** What is wrong with the containers of a pod's spec, as far as scheduling reads them; undefined when they are sound. */
export const podContainersProblem = (spec: PodSpec): FieldProblem | undefined =>
  shapeProblem(podContainersShape, spec, 'spec') ??
  containersProblem('spec.containers', spec.containers) ??
  containersProblem('spec.initContainers', spec.initContainers);

const frameContentProblem = (spec: PodSpec): FieldProblem | undefined =>
  firstProblem([
    () => resourcesProblem('spec.resources', spec.resources),
    () => quantityProblem('spec.overhead', spec.overhead),
    () => affinityProblem('spec.affinity', spec.affinity),
    ...(spec.tolerations ?? []).map((toleration, i) => () => tolerationProblem(`spec.tolerations[${i}]`, toleration)),
    ...(spec.topologySpreadConstraints ?? []).map(
      (constraint, i) => () => spreadProblem(`spec.topologySpreadConstraints[${i}]`, constraint),
    ),
  ]);

/** The same of what is said outside of the containers. */
export const podFrameProblem = (spec: PodSpec): FieldProblem | undefined =>
  shapeProblem(podFrameShape, spec, 'spec') ?? frameContentProblem(spec);

/**
 * What is wrong with a pod's spec, as far as scheduling reads it; undefined when it is sound. The API server admits
 * none of this; plain objects from elsewhere may hold it.
 */
export const podSpecProblem = (spec: PodSpec): FieldProblem | undefined => podContainersProblem(spec) ?? podFrameProblem(spec);
