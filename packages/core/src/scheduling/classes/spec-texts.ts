import { newFork, stepTo, walkPast } from '../../base/index.ts';
import type { Fork } from '../../base/index.ts';
import type { Container, PodSpec } from '../../kube/index.ts';
import { frameText, sizeText } from './spec-text.ts';

type Place = Fork<string>;

const past = (from: Place, field: string, said: unknown): Place => (said === undefined ? from : walkPast(stepTo(from, field), said));

const pastContainer = (from: Place, { resources, restartPolicy, ports }: Container): Place => {
  const at = past(walkPast(from, resources?.requests), 'limits', resources?.limits);
  return past(past(at, 'restartPolicy', restartPolicy), 'ports', ports);
};

const isList = (value: unknown): boolean => Array.isArray(value);

const pastContainers = (from: Place, containers: readonly Container[] | undefined): Place => {
  if (containers === undefined || !isList(containers)) return stepTo(from, typeof containers);
  let at = stepTo(from, containers.length);
  for (const container of containers) at = pastContainer(at, container);
  return at;
};

const pastFrame = (from: Place, spec: PodSpec): Place => {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources, resourceClaims } = spec;
  let at = past(from, 'nodeSelector', nodeSelector);
  at = past(at, 'affinity', affinity);
  at = past(at, 'tolerations', tolerations);
  at = past(at, 'topologySpreadConstraints', topologySpreadConstraints);
  at = past(at, 'overhead', overhead);
  at = past(at, 'resources', resources);
  return past(at, 'resourceClaims', resourceClaims);
};

/** The text that stands for all of its content. */
type Canonical = (text: string) => string;

const canonicalTexts = (): Canonical => {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
};

/** The texts of specs: equal content has one and the same text, so that to look it up costs no comparison. */
export interface SpecTexts {
  readonly frameOf: (spec: PodSpec) => string;
  readonly sizeOf: (spec: PodSpec) => string;
}

/**
 * As `frameText` and `sizeText` have them. A text is put together where something is said for the first time; from then on a walk along what is
 * said leads to it, which takes a third of the time and leaves nothing to collect.
 */
export const specTexts = (): SpecTexts => {
  const canonical = canonicalTexts();
  const frames: Place = newFork();
  const sizes: Place = newFork();
  return {
    frameOf: (spec) => (pastFrame(frames, spec).value ??= canonical(frameText(spec))),
    sizeOf: (spec) => (pastContainers(pastContainers(sizes, spec.containers), spec.initContainers).value ??= canonical(sizeText(spec))),
  };
};
