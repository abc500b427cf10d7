import { memoByKey } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type {
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '../../kube/index.ts';
import { compileSelector } from './cel/device-selector.ts';
import type { CompiledSelector, SelectorBudget } from './cel/device-selector.ts';

/** What one request, or one of its alternatives, asks for. */
export interface ClaimRequest {
  /** `request`, or `request/alternative`. */
  readonly name: string;
  readonly parent: string;
  readonly deviceClassName: string;
  /** Those of the class come first. */
  readonly selectors: readonly CompiledSelector[];
  readonly classSelectorCount: number;
  readonly wantsAll: boolean;
  readonly count: number;
  readonly isAdmin: boolean;
  readonly tolerations: readonly DeviceToleration[];
  /** Capacity → at least so much, in nanos. */
  readonly capacity: ReadonlyMap<string, bigint>;
}

/** What a claim asks for: for each request its alternatives, the preferred one first. */
export interface ClaimRequests {
  readonly requests: readonly (readonly ClaimRequest[])[];
  readonly constraints: readonly DeviceConstraint[];
}

/** Source: Kubernetes, `AllocationResultsMaxSize`. */
export const MOST_DEVICES = 32;
/** Source: Kubernetes, `DeviceRequestsMaxSize` and `FirstAvailableDeviceRequestMaxSize`. */
const MOST_REQUESTS = 32;
const MOST_ALTERNATIVES = 8;

/** Where requests find their classes, and selectors that were compiled before. */
export interface RequestContext {
  /** Name → class. */
  readonly classes: ReadonlyMap<string, DeviceClass>;
  /** The same expression gives the same selector. */
  readonly selectorOf: (expression: string) => CompiledSelector;
}

/** Compiles each expression once. */
export const selectorMemory = (budget?: SelectorBudget): RequestContext['selectorOf'] =>
  memoByKey((expression) => compileSelector(expression, budget));

const expressionsOf = (selectors: readonly DeviceSelector[] = [], field: string): readonly string[] | FieldProblem => {
  const unknown = selectors.findIndex(({ cel }) => cel === undefined);
  if (unknown >= 0) return { field: `${field}.selectors[${unknown}]`, value: '', problem: 'only CEL selectors are known' };
  return selectors.flatMap(({ cel }) => cel?.expression ?? []);
};

const isProblem = (value: object): value is FieldProblem => 'problem' in value;

const countProblem = ({ count = 1, allocationMode = 'ExactCount' }: ExactDeviceRequest, field: string): FieldProblem | undefined => {
  if (allocationMode !== 'ExactCount' && allocationMode !== 'All')
    return { field: `${field}.allocationMode`, value: allocationMode, problem: 'must be ExactCount or All' };
  if (Number.isSafeInteger(count) && count > 0 && count <= MOST_DEVICES) return undefined;
  return { field: `${field}.count`, value: String(count), problem: `must be a whole number from 1 to ${MOST_DEVICES}` };
};

const capacityOf = ({ capacity }: ExactDeviceRequest, field: string): ReadonlyMap<string, bigint> | FieldProblem => {
  const amounts = new Map<string, bigint>();
  for (const [name, amount] of Object.entries(capacity?.requests ?? {})) {
    const parsed = parseQuantity(String(amount));
    if (parsed === undefined) return { field: `${field}.capacity.requests.${name}`, value: String(amount), problem: 'must be a quantity' };
    amounts.set(name, parsed.nanos);
  }
  return amounts;
};

/** What a request is called: by itself and by what it is an alternative of. */
type Names = Pick<ClaimRequest, 'name' | 'parent'> & { readonly field: string };

const readRequest = (asked: ExactDeviceRequest, names: Names, context: RequestContext): ClaimRequest | FieldProblem => {
  const { field, ...named } = names;
  const { deviceClassName, allocationMode = 'ExactCount', count = 1, adminAccess = false, tolerations = [] } = asked;
  const deviceClass = context.classes.get(deviceClassName);
  if (deviceClass === undefined)
    return { field: `${field}.deviceClassName`, value: deviceClassName, problem: 'there is no such DeviceClass' };
  const wrong = countProblem(asked, field);
  if (wrong !== undefined) return wrong;
  const ofClass = expressionsOf(deviceClass.spec.selectors, `DeviceClass ${deviceClassName}.spec`);
  if (isProblem(ofClass)) return ofClass;
  const own = expressionsOf(asked.selectors, field);
  if (isProblem(own)) return own;
  const capacity = capacityOf(asked, field);
  if (isProblem(capacity)) return capacity;
  return {
    ...named,
    deviceClassName,
    selectors: [...ofClass, ...own].map(context.selectorOf),
    classSelectorCount: ofClass.length,
    wantsAll: allocationMode === 'All',
    count,
    isAdmin: adminAccess,
    tolerations,
    capacity,
  };
};

const alternativesOf = (request: DeviceRequest, at: string, context: RequestContext): readonly ClaimRequest[] | FieldProblem => {
  const { name, exactly, firstAvailable = [] } = request;
  if (exactly !== undefined) {
    const read = readRequest(exactly, { name, parent: name, field: `${at}.exactly` }, context);
    return isProblem(read) ? read : [read];
  }
  if (firstAvailable.length === 0 || firstAvailable.length > MOST_ALTERNATIVES)
    return { field: at, value: name, problem: `must have exactly, or 1 to ${MOST_ALTERNATIVES} of firstAvailable` };
  const alternatives: ClaimRequest[] = [];
  for (const [index, each] of firstAvailable.entries()) {
    const names = { name: `${name}/${each.name}`, parent: name, field: `${at}.firstAvailable[${index}]` };
    const read = readRequest(each, names, context);
    if (isProblem(read)) return read;
    alternatives.push(read);
  }
  return alternatives;
};

/** What the content of a claim asks for, or the first field that cannot be met by anything. */
export const claimRequests = ({ devices = {} }: ResourceClaimSpec, context: RequestContext): ClaimRequests | FieldProblem => {
  const { requests = [], constraints = [] } = devices;
  const field = 'spec.devices.requests';
  if (requests.length > MOST_REQUESTS) return { field, value: String(requests.length), problem: `must be at most ${MOST_REQUESTS}` };
  const read: (readonly ClaimRequest[])[] = [];
  for (const [index, request] of requests.entries()) {
    const alternatives = alternativesOf(request, `${field}[${index}]`, context);
    if (isProblem(alternatives)) return alternatives;
    read.push(alternatives);
  }
  return { requests: read, constraints };
};
