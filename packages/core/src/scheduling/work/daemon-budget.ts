import type { DaemonSet, PodSpec } from '../../kube/index.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import { largestPart, podWork, workOfLarge } from './pod-work.ts';
import { MOST_OF_A_POD } from './work-budget.ts';
import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot, LeftOut } from '../../cluster/index.ts';
import { namespacedNameOf } from '../../kube/index.ts';

const refusedShape = (spec: PodSpec, units: number): PodShape => ({
  size: '',
  frame: '',
  requests: {},
  ladder: [],
  preferences: { kept: [], cutCount: 0 },
  preferred: [],
  problem: {
    field: 'spec',
    value: largestPart(spec),
    problem: `would take ${units} units of planning, at most ${MOST_OF_A_POD} are spent on a pod`,
  },
});

/**
 * Reads specs, each once for a solve: budget, slots, topology and classes all ask for the same. A spec that would cost
 * too much is not read: its pods are refused, and count for no other pod.
 */
export const boundedShapes = (shapeOf: (spec: PodSpec) => PodShape): ((spec: PodSpec) => PodShape) => {
  const known = new Map<PodSpec, PodShape>();
  return (spec) => {
    const found = known.get(spec);
    if (found !== undefined) return found;
    const units = workOfLarge(spec);
    const shape = units > MOST_OF_A_POD ? refusedShape(spec, units) : shapeOf(spec);
    known.set(spec, shape);
    return shape;
  };
};

/** Most units of one DaemonSet; beyond, nodes are planned as if it were not there. About 60 ms. */
const MOST_OF_A_DAEMON_SET = 20_000;
/** Most units of all DaemonSets together: about 0.6 s. More than a thousand ordinary ones. */
const DAEMON_WORK = 200_000;
/** Each node selector term is compared with each instance type. */
const UNITS_A_TERM = 150;

/** What is malformed costs nothing: such a DaemonSet is left out later. */
const termsOf = ({ affinity }: Partial<PodSpec>): number => {
  const terms: unknown = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return Array.isArray(terms) ? Math.max(1, terms.length) : 1;
};

/** A DaemonSet may have any shape here. */
const specOf = (daemonSet: DaemonSet): PodSpec => {
  const { spec } = daemonSet as { readonly spec?: { readonly template?: { readonly spec?: PodSpec | null } | null } | null };
  return spec?.template?.spec ?? { containers: [] };
};

const workOf = (daemonSet: DaemonSet): number => podWork(specOf(daemonSet)) + termsOf(specOf(daemonSet)) * UNITS_A_TERM;

const nameOf = ({ metadata }: DaemonSet): string => namespacedNameOf(metadata);

/** The oldest first: those that came later cannot take the place of others. */
const byAge = (a: DaemonSet, b: DaemonSet): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compareText(nameOf(a), nameOf(b));

const tooComplex = (daemonSet: DaemonSet, units: number, problem: string): LeftOut => ({
  kind: 'DaemonSet',
  name: nameOf(daemonSet),
  problem: {
    field: 'spec.template.spec',
    value: largestPart(specOf(daemonSet)),
    problem: `costs ${Math.round(units)} units of planning; ${problem}`,
  },
});

/** The snapshot with as many DaemonSets as one plan has work for, the oldest first. The others are named in `leftOut`. */
export const withBoundedDaemons = (snapshot: ClusterSnapshot): ClusterSnapshot => {
  const leftOut: LeftOut[] = [];
  const out = new Set<DaemonSet>();
  let spent = 0;
  for (const daemonSet of [...snapshot.daemonSets].sort(byAge)) {
    const units = workOf(daemonSet);
    const isTooLarge = units > MOST_OF_A_DAEMON_SET;
    if (!isTooLarge && spent + units <= DAEMON_WORK) {
      spent += units;
      continue;
    }
    out.add(daemonSet);
    const limit = isTooLarge
      ? `at most ${MOST_OF_A_DAEMON_SET} are spent on a DaemonSet`
      : `older DaemonSets take the ${DAEMON_WORK} that are spent on all`;
    leftOut.push(tooComplex(daemonSet, units, limit));
  }
  if (out.size === 0) return snapshot;
  const daemonSets = snapshot.daemonSets.filter((each) => !out.has(each));
  return { ...snapshot, daemonSets, leftOut: [...(snapshot.leftOut ?? []), ...leftOut] };
};
