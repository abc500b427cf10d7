import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type PipelineRequest,
  RestError,
} from '@azure/core-rest-pipeline';
import type { Clock } from '@karpenter/core/controllers';
import type { AksMachine } from '../machines/aks-machine.ts';
import type { AksMachineApi } from './aks-machine-api.ts';
import type { ArmClients } from './arm-clients.ts';
import { ArmError } from './arm-error.ts';
import { armErrorOf } from './classify.ts';
import { unexplained } from './poller.ts';
import { statePoller } from './state-poller.ts';

/** Where the machines are. */
export interface AgentPoolScope {
  readonly subscriptionId: string;
  readonly clusterResourceGroup: string;
  readonly clusterName: string;
  readonly poolName: string;
}

/** A machine takes half a minute to come, and its node a little longer. */
const PACE = { firstMs: 10_000, everyMs: 5_000 };
/** The SDK has no such calls: the service makes machines in previews only. */
const API_VERSION = '2025-08-02-preview';

const UNDER_WAY: ReadonlySet<string | undefined> = new Set(['Creating', 'Updating']);

/** AKS's own code comes with the details; around them it says only that a VM could not be made. */
const failureIn = (machine: AksMachine | undefined, name: string): ArmError => {
  const error = machine?.properties.status?.provisioningError;
  const first = error?.details?.[0] ?? error;
  if (first === undefined) return unexplained(`machine ${name}`);
  const armCode = first.code ?? 'ProvisioningFailed';
  return new ArmError(`${armCode}: ${first.message ?? ''}`, { code: 'refused', armCode, cause: error });
};

/** There is no machine left of those that were named. */
const isGone = (error: unknown): boolean =>
  error instanceof ArmError &&
  (error.code === 'not-found' || (error.armCode === 'InvalidParameter' && /no valid machines/i.test(error.message)));

interface Call {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const requestOf = ({ method, url, body, headers = {} }: Call, abortSignal: AbortSignal): PipelineRequest =>
  createPipelineRequest({
    ...{ method, url, abortSignal },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: createHttpHeaders({ ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }),
  });

/** Sends calls down the pipeline of the SDK's clients: the same token, throttle, retries and classes of failures. */
const sending = (clients: ArmClients, clock: Clock) => {
  const http = createDefaultHttpClient();
  return async <T>(call: Call, signal: AbortSignal): Promise<T> => {
    try {
      const response = await clients.compute.pipeline.sendRequest(http, requestOf(call, signal));
      const { status, bodyAsText } = response;
      if (status >= 400) throw new RestError(bodyAsText ?? '', { statusCode: status, request: response.request, response });
      return JSON.parse(bodyAsText === '' || bodyAsText === undefined || bodyAsText === null ? '{}' : bodyAsText) as T;
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? error;
    }
  };
};

const unlessMissing = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ArmError && error.code === 'not-found') return undefined;
    throw error;
  }
};

interface Page {
  readonly value?: readonly AksMachine[];
  readonly nextLink?: string;
}

type Reads = Pick<AksMachineApi, 'getMachine' | 'listMachines' | 'machineMade'>;
type Send = ReturnType<typeof sending>;
type At = (path: string) => string;

const readsOf = (send: Send, at: At, clock: Clock): Reads => {
  const pages = async (signal: AbortSignal) => {
    const machines: AksMachine[] = [];
    let calls = 0;
    for (let url: string | undefined = at('machines'); url !== undefined; calls += 1) {
      const link: string = url;
      const page: Page | undefined = await unlessMissing(() => send<Page>({ method: 'GET', url: link }, signal));
      machines.push(...(page?.value ?? []));
      url = page?.nextLink;
    }
    return { machines, calls };
  };
  const getMachine: Reads['getMachine'] = (name, signal) =>
    unlessMissing(() => send<AksMachine>({ method: 'GET', url: at(`machines/${name}`) }, signal));
  const poller = statePoller(
    {
      list: async (signal) => {
        const { machines, calls } = await pages(signal);
        return { calls, states: new Map(machines.map(({ name, properties }) => [name.toLowerCase(), properties.provisioningState])) };
      },
      get: async (name, signal) => (await getMachine(name, signal))?.properties.provisioningState,
    },
    PACE,
    clock,
  );
  return {
    getMachine,
    listMachines: async (signal) => (await pages(signal)).machines,
    machineMade: async (name, signal) => {
      const state = await poller.until(name, (now) => !UNDER_WAY.has(now), signal);
      if (state === 'Failed' || state === 'Canceled') throw failureIn(await getMachine(name, signal), name);
      return state === 'Succeeded';
    },
  };
};

const writesOf = (send: Send, at: At): Omit<AksMachineApi, keyof Reads> => ({
  putMachine: async (name, body, signal) => {
    try {
      const headers = { 'If-None-Match': '*', AllowSpotVMSystemNode: 'true' };
      return await send<AksMachine>({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal);
    } catch (error) {
      if (error instanceof ArmError && error.status === 412) return 'exists';
      throw error;
    }
  },
  tagMachine: async ({ name, zones, properties }, tags, signal) => {
    const { provisioningState: _state, resourceId: _id, status: _status, eTag, ...settings } = properties;
    const body = { ...(zones && { zones }), properties: { ...settings, tags } };
    const headers = { ...(eTag !== undefined && { 'If-Match': eTag }), AllowSpotVMSystemNode: 'true' };
    await send({ method: 'PUT', url: at(`machines/${name}`), body, headers }, signal);
  },
  deleteMachine: async (name, signal) => {
    try {
      await send({ method: 'POST', url: at('deleteMachines'), body: { machineNames: [name] } }, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
});

/** The machines of an agent pool by the AKS machine API. All that wait for one share a poller. */
export const aksMachineCalls = (clients: ArmClients, scope: AgentPoolScope, clock: Clock): AksMachineApi => {
  const send = sending(clients, clock);
  const pool =
    `${clients.endpoint}/subscriptions/${scope.subscriptionId}/resourceGroups/${scope.clusterResourceGroup}` +
    `/providers/Microsoft.ContainerService/managedClusters/${scope.clusterName}/agentPools/${scope.poolName}`;
  const at: At = (path) => `${pool}/${path}?api-version=${API_VERSION}`;
  return { ...readsOf(send, at, clock), ...writesOf(send, at) };
};
