import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline';
import { systemClock } from '@karpenter/runtime';
import { type ArmClients, armClients } from '../arm/arm-clients.ts';
import { type ArmApi } from '../arm/arm-api.ts';
import { createArmApi } from '../arm/create-arm-api.ts';

export const AZURE_ENDPOINT = 'https://management.example';

/** What Azure answers to one request. */
export interface AzureAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An Azure that a test speaks for; its clock leaps a minute at each look. */
export interface AnsweringAzure {
  readonly clients: ArmClients;
  readonly api: ArmApi;
  readonly clock: typeof systemClock;
  /** Of the requests since it was last emptied: `PUT https://management.example/…`. */
  readonly requests: string[];
  answer: (request: PipelineRequest) => AzureAnswer;
}

export const answeringAzure = (): AnsweringAzure => {
  let nowMs = 0;
  const clock = { ...systemClock, now: () => (nowMs += 60_000), sleep: () => Promise.resolve() };
  const environment = {
    ...{ resourceManagerEndpoint: AZURE_ENDPOINT, tokenAudience: AZURE_ENDPOINT, authorityHost: 'https://login.example' },
  } as never;
  const credential = { getToken: () => Promise.resolve({ token: 'secret', expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) };
  const clients = armClients({ environment, subscriptionId: 'sub', credential, clock });
  const scope = { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', retailPricesUrl: undefined };
  const azure: AnsweringAzure = {
    ...{ clients, clock, requests: [] },
    api: createArmApi(clients, scope, clock),
    answer: () => ({ body: {} }),
  };
  const sendRequest = (request: PipelineRequest): Promise<PipelineResponse> => {
    azure.requests.push(`${request.method} ${request.url}`);
    const { status = 200, headers = {}, body } = azure.answer(request);
    return Promise.resolve({
      ...{ request, status, headers: createHttpHeaders({ 'content-type': 'application/json', ...headers }) },
      bodyAsText: body === undefined ? '' : JSON.stringify(body),
    });
  };
  for (const name of ['compute', 'network', 'graph', 'resources'] as const)
    clients[name].pipeline.addPolicy({ name: 'answers', sendRequest }, { afterPhase: 'Sign' });
  return azure;
};
