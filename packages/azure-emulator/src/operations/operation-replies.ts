import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import { armRefusalReply } from '../serve/replies.ts';
import { refusal } from '../faults/arm-error.ts';
import type { ArmWorld } from '../world.ts';
import type { AsyncOperation } from './async-operations.ts';

export type OperationProvider = 'Microsoft.Compute' | 'Microsoft.Network' | 'Microsoft.ContainerService';

const retryAfter = (world: ArmWorld): Record<string, string> =>
  world.pollAfterSeconds > 0 ? { 'Retry-After': String(world.pollAfterSeconds) } : {};

const pathOf = (world: ArmWorld, provider: OperationProvider, kind: 'operations' | 'operationResults'): string =>
  `/subscriptions/${world.account.subscriptionId}/providers/${provider}/locations/${world.account.location}/${kind}`;

/** The headers with the address to poll. */
const pollHeaders = (world: ArmWorld, provider: OperationProvider, operation: AsyncOperation): Record<string, string> => ({
  'Azure-AsyncOperation': `${world.url}${pathOf(world, provider, 'operations')}/${operation.id}?api-version=2026-04-01`,
  ...retryAfter(world),
});

/** The answer to an accepted PUT or PATCH: the resource as it stands, and where to poll. */
export const acceptedReply = (
  world: ArmWorld,
  provider: OperationProvider,
  accepted: { readonly status: 200 | 201 | 202; readonly body: unknown; readonly operation: AsyncOperation },
): ArmReply => ({ status: accepted.status, headers: pollHeaders(world, provider, accepted.operation), body: accepted.body });

/** The answer to an accepted DELETE: no body, and both ways to poll. */
export const acceptedDelete = (world: ArmWorld, provider: OperationProvider, operation: AsyncOperation): ArmReply => ({
  status: 202,
  headers: {
    ...pollHeaders(world, provider, operation),
    Location: `${world.url}${pathOf(world, provider, 'operationResults')}/${operation.id}?api-version=2026-04-01`,
  },
});

const statusBody = (operation: AsyncOperation): object => ({
  name: operation.id,
  startTime: new Date(operation.startMs).toISOString(),
  ...(operation.endMs !== undefined && { endTime: new Date(operation.endMs).toISOString() }),
  status: operation.status,
  ...(operation.failure && { error: operation.failure.error }),
});

const unknownOperation = (id: string): ArmReply => armRefusalReply(refusal(404, 'NotFound', `The operation '${id}' was not found.`));

const pollStatus = (world: ArmWorld, request: ArmRequest): ArmReply => {
  const id = request.params['operationId'] ?? '';
  const operation = world.operations.get(id);
  if (operation === undefined) return unknownOperation(id);
  return { status: 200, headers: operation.status === 'InProgress' ? retryAfter(world) : {}, body: statusBody(operation) };
};

const pollResult = (world: ArmWorld, request: ArmRequest): ArmReply => {
  const id = request.params['operationId'] ?? '';
  const operation = world.operations.get(id);
  if (operation === undefined) return unknownOperation(id);
  if (operation.failure) return armRefusalReply(operation.failure);
  if (operation.status === 'Succeeded') return { status: 204 };
  return { status: 202, headers: { ...retryAfter(world), Location: `${world.url}${request.path}?${request.query.toString()}` } };
};

/** Where clients poll: the status document and the result of an operation, of any provider. */
export const operationRoutes = (world: ArmWorld): readonly ArmRoute[] =>
  (['Microsoft.Compute', 'Microsoft.Network', 'Microsoft.ContainerService'] as const).flatMap((provider): ArmRoute[] => {
    const base = `/subscriptions/{subscriptionId}/providers/${provider}/locations/{location}`;
    return [
      {
        operation: 'Operations_Status',
        method: 'GET',
        path: `${base}/operations/{operationId}`,
        handle: (request) => pollStatus(world, request),
      },
      {
        operation: 'Operations_Result',
        method: 'GET',
        path: `${base}/operationResults/{operationId}`,
        handle: (request) => pollResult(world, request),
      },
    ];
  });
