import { groupedDigits, getOrMake, isFieldProblem, memoByObject } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import type { ClusterSnapshot, DeviceView } from '../../cluster/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import type { DeviceRequest, ExactDeviceRequest, Pod, PodResourceClaim, ResourceClaim, ResourceClaimSpec } from '../../kube/index.ts';
import { SelectorBudget } from './cel/device-selector.ts';
import type { SelectorWork } from './cel/device-selector.ts';
import { claimRequests, selectorMemory } from './claim-request.ts';
import type { ClaimRequests, RequestContext } from './claim-request.ts';
import type { ExtendedResources } from './extended-resources.ts';

/** A claim that a pod uses. */
export interface ClaimUse {
  /** `namespace/name`; of a claim that is still to be made, the pod's name and that of the claim in its spec. */
  readonly key: string;
  readonly wanted: ClaimRequests;
  /** Other pods use it as well, or it has devices already. Otherwise each pod of the class has one like it for itself. */
  readonly isTied: boolean;
  /** Absent: it is still to be made of its template. */
  readonly claim?: ResourceClaim;
}

/** The devices that the pods of a class claim. */
export interface PodDevices {
  /** Of one pod: its claims. The other pods of the class have equal ones of their own. */
  readonly claims: readonly ClaimUse[];
  readonly namespace: string;
  /** Pods of one snapshot with equal texts are equal to the allocator. */
  readonly text: string;
  /** Whether other pods use one of the claims as well, or it has devices already. */
  readonly isTied: boolean;
  /** Why there are no such devices, whatever there is. */
  readonly problem: FieldProblem | undefined;
  /** What evaluating its selectors takes. Absent where it has none. */
  readonly work?: SelectorWork;
  /** Counts the evaluations that follow for such pods. */
  readonly startWork?: () => void;
  /** For how many such pods a place must have devices, one after the other. Absent: for one. */
  readonly podsAtOnce?: number;
}

/** What a place must have for so many such pods. They are other pods to the allocator than one alone. */
export const devicesForAll = (devices: PodDevices, podsAtOnce: number): PodDevices =>
  podsAtOnce === 1 ? devices : { ...devices, text: `${podsAtOnce} × ${devices.text}`, podsAtOnce };

/** Pod → the devices that it claims; undefined when it claims none. */
export type PodDevicesReader = (pod: Pod) => PodDevices | undefined;

const problem = (value: string, text: string): FieldProblem => ({ field: 'spec.resourceClaims', value, problem: text });

/** What stands in place of a name where the pod needs no claim: no object has this name. */
const NONE_NEEDED = '';

/** The name of a claim, `NONE_NEEDED`, or undefined where the pod does not say it yet. */
const namedClaim = (pod: Pod, { name, resourceClaimName }: PodResourceClaim): string | undefined => {
  if (resourceClaimName !== undefined) return resourceClaimName;
  const status = pod.status?.resourceClaimStatuses?.find((each) => each.name === name);
  return status && (status.resourceClaimName ?? NONE_NEEDED);
};

/** Characters that the selectors of a claim may have: each distinct claim is kept as a text. */
const MOST_CHARACTERS = 65_536;

const alternativesOf = ({ exactly, firstAvailable = [] }: DeviceRequest): readonly ExactDeviceRequest[] =>
  exactly === undefined ? firstAvailable : [exactly];

const charactersOf = ({ devices = {} }: ResourceClaimSpec): number =>
  (devices.requests ?? [])
    .flatMap(alternativesOf)
    .flatMap(({ selectors = [] }) => selectors.map(({ cel }) => cel?.expression ?? ''))
    .reduce((sum, { length }) => sum + length, 0);

/** Claims with selectors up to here are compared as they are written. */
const SHORT = 1024;

/** What devices a spec asks for. JSON. The configuration is for drivers. Long selectors stand there by numbers. */
class ClaimTexts {
  readonly #numbers = new Map<string, readonly [number]>();

  textOf({ devices }: ResourceClaimSpec, characters: number): string {
    const wanted = [devices?.requests, devices?.constraints];
    if (characters <= SHORT) return JSON.stringify(wanted);
    return JSON.stringify(wanted, (key, value: unknown) =>
      // A list, which no expression is: none that is written can read like it.
      key === 'expression' && typeof value === 'string' ? getOrMake(this.#numbers, value, (): [number] => [this.#numbers.size]) : value,
    );
  }
}

/** A claim that is there, or what it will be made of. */
interface FoundClaim {
  readonly key: string;
  readonly spec: ResourceClaimSpec;
  readonly claim?: ResourceClaim;
}

const templateOf = (pod: Pod, { name, resourceClaimTemplateName }: PodResourceClaim, view: DeviceView): FoundClaim | FieldProblem => {
  const namespace = namespaceOf(pod);
  if (resourceClaimTemplateName === undefined) return problem(name, 'it names neither a ResourceClaim nor a ResourceClaimTemplate');
  const template = view.templates.get(`${namespace}/${resourceClaimTemplateName}`);
  if (template === undefined) return problem(resourceClaimTemplateName, 'there is no such ResourceClaimTemplate');
  return { key: `${namespace}/${pod.metadata.name} ${name}`, spec: template.spec.spec };
};

/** The claim behind an entry of the pod; undefined when none is needed. */
const findClaim = (pod: Pod, entry: PodResourceClaim, view: DeviceView): FoundClaim | FieldProblem | undefined => {
  const named = namedClaim(pod, entry);
  if (named === NONE_NEEDED) return undefined;
  const key = `${namespaceOf(pod)}/${named ?? ''}`;
  const claim = named === undefined ? undefined : view.claims.get(key);
  if (claim === undefined && entry.resourceClaimTemplateName !== undefined) return templateOf(pod, entry, view);
  if (claim === undefined) return problem(named ?? entry.name, 'there is no such ResourceClaim yet');
  if (claim.metadata.deletionTimestamp !== undefined) return problem(claim.metadata.name, 'the ResourceClaim is being deleted');
  return { key, spec: claim.spec, claim };
};

/** Claim → how many pods of the snapshot use it. */
const usersOf = ({ pendingPods, nodes }: ClusterSnapshot): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const pod of [...pendingPods, ...nodes.flatMap(({ pods }) => pods)]) {
    for (const entry of pod.spec.resourceClaims ?? []) {
      const key = `${namespaceOf(pod)}/${namedClaim(pod, entry) ?? NONE_NEEDED}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
};

/**
 * The claim for the extended resources of the pod: the one that kube-scheduler created, or one like it. Empty: it needs
 * none.
 */
const extendedClaims = (pod: Pod, view: DeviceView, extended: ExtendedResources): readonly FoundClaim[] => {
  const spec = extended.claimSpecOf(pod.spec);
  if (spec === undefined) return [];
  const { resourceClaimName } = pod.status?.extendedResourceClaimStatus ?? {};
  const key = `${namespaceOf(pod)}/${resourceClaimName ?? NONE_NEEDED}`;
  const claim = view.claims.get(key);
  return [claim === undefined ? { key: `${namespaceOf(pod)}/${pod.metadata.name} <extended-resources>`, spec } : { key, spec, claim }];
};

/** The claims behind all that the pod names and requests, each with what is wrong with it. */
const foundClaims = (pod: Pod, view: DeviceView, extended: ExtendedResources | undefined): readonly (FoundClaim | FieldProblem)[] => {
  const named = (pod.spec.resourceClaims ?? []).flatMap((entry) => findClaim(pod, entry, view) ?? []);
  return extended === undefined ? named : [...named, ...extendedClaims(pod, view, extended)];
};

const refused = (pod: Pod, wrong: FieldProblem): PodDevices => ({
  ...{ claims: [], namespace: namespaceOf(pod), text: JSON.stringify(wrong), isTied: false, problem: wrong },
});

/** Whether any pod of the snapshot claims devices. */
const anyClaims = ({ pendingPods, nodes }: ClusterSnapshot, extended: ExtendedResources | undefined): boolean => {
  const claims = ({ spec }: Pod): boolean => spec.resourceClaims !== undefined || extended?.claimSpecOf(spec) !== undefined;
  return pendingPods.some(claims) || nodes.some(({ pods }) => pods.some(claims));
};

const claimsNothing: PodDevicesReader = () => undefined;

const refusing: PodDevicesReader = (pod) => {
  const [claim] = pod.spec.resourceClaims ?? [];
  return claim && refused(pod, problem(claim.name, 'device allocation is off; request an extended resource'));
};

const tooLong = (characters: number): FieldProblem => {
  const [has, most] = [characters, MOST_CHARACTERS].map(groupedDigits);
  return { field: 'spec.devices', value: '', problem: `its selectors have ${has} characters, at most ${most} are read` };
};

/** A number for each distinct content of claims, and what that asks for. */
interface ReadContent {
  readonly number: number;
  readonly wanted: ClaimRequests | FieldProblem;
}

/** Reads each content once. Texts of contents may be long, so that their numbers stand for them. */
const contentReader = (context: RequestContext): ((spec: ResourceClaimSpec) => ReadContent) => {
  const byText = new Map<string, ReadContent>();
  const texts = new ClaimTexts();
  return memoByObject((spec) => {
    const characters = charactersOf(spec);
    if (characters > MOST_CHARACTERS) return { number: -1, wanted: tooLong(characters) };
    const text = texts.textOf(spec, characters);
    return getOrMake(byText, text, () => ({ number: byText.size, wanted: claimRequests(spec, context) }));
  });
};

/**
 * Reads the claims of pods. A claim that one pod alone uses, and that has no devices yet, is as good as any other with
 * the same content.
 */
export const podDevicesReader = (snapshot: ClusterSnapshot, extended?: ExtendedResources): PodDevicesReader => {
  const { devices: view } = snapshot;
  if (!anyClaims(snapshot, extended)) return claimsNothing;
  if (view === undefined) return refusing;
  const users = usersOf(snapshot);
  const budget = new SelectorBudget();
  const contentOf = contentReader({ classes: view.classes, selectorOf: selectorMemory(budget) });
  const wantedOf = ({ key, spec }: FoundClaim): ClaimRequests | FieldProblem => {
    const { wanted } = contentOf(spec);
    return isFieldProblem(wanted) ? { ...wanted, field: `ResourceClaim ${key}: ${wanted.field}` } : wanted;
  };
  const isTied = ({ key, claim }: FoundClaim): boolean => (users.get(key) ?? 0) > 1 || claim?.status?.allocation !== undefined;
  return (pod) => {
    const found = foundClaims(pod, view, extended);
    const claims: ClaimUse[] = [];
    for (const each of found) {
      const wanted = isFieldProblem(each) ? each : wantedOf(each);
      if (isFieldProblem(each) || isFieldProblem(wanted)) return refused(pod, isFieldProblem(wanted) ? wanted : problem('', ''));
      if (claims.every(({ key }) => key !== each.key))
        claims.push({ key: each.key, wanted, isTied: isTied(each), ...(each.claim && { claim: each.claim }) });
    }
    if (claims.length === 0) return undefined;
    const sound = found.flatMap((each) => (isFieldProblem(each) ? [] : [each]));
    const namespace = namespaceOf(pod);
    const text = JSON.stringify(sound.map((each) => (isTied(each) ? each.key : contentOf(each.spec).number)));
    const work = budget.workOf(namespace, text);
    return { claims, namespace, text, isTied: sound.some(isTied), problem: undefined, work, startWork: () => budget.countFor(work) };
  };
};
