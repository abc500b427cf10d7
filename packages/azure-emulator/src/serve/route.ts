import type { ArmRefusal } from '../faults/arm-error.ts';
import type { ArmFaultEffect, FaultSubject } from '../faults/fault.ts';

export interface ArmRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the fields of a form; undefined when there was none. */
  readonly body: unknown;
  /** The path's variables, as the client spelled them. */
  readonly params: Readonly<Record<string, string>>;
  /** The faults that befell this request and did not end it. */
  readonly effects: readonly ArmFaultEffect[];
  /** Of a request about several resources: the faults that befell each, in the order of the route's `parts`. */
  readonly effectsOfParts: readonly (readonly ArmFaultEffect[])[];
}

export interface ArmReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One operation of the emulated service. */
export interface ArmRoute {
  /** As Azure's specification names it: `VirtualMachines_Get`. */
  readonly operation: string;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** `/subscriptions/{subscriptionId}/…`, matched ignoring case. */
  readonly path: string;
  /** Answers without an access token. */
  readonly anonymous?: boolean;
  /** Needs no api-version. */
  readonly unversioned?: boolean;
  /** Has an asynchronous half, which then takes the delays that faults impose. */
  readonly asynchronous?: boolean;
  /** What faults may match on besides operation and name. */
  subject?(request: ArmRequest): Partial<FaultSubject>;
  /**
   * The resources that one request is about, where they are several: faults meet each of them by itself. Empty: it is
   * about one.
   */
  parts?(request: ArmRequest): readonly Partial<FaultSubject>[];
  handle(request: ArmRequest): ArmReply;
  /** How the service behind the route words a refusal, where it is not as Resource Manager does. */
  readonly refused?: (refusal: ArmRefusal) => ArmReply;
  /** What stays behind when a fault refuses the request in the handler's stead. */
  refusedByFault?(request: ArmRequest): void;
}
