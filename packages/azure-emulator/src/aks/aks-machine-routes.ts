import { ARTIFACT_STREAMING_FEATURE } from '../behaviours.ts';
import { bodyProblem } from '../body/body-problem.ts';
import { aksBodyRefusal } from '../body/body-refusal.ts';
import type { SkuCatalog } from '../compute/sizes/sku-catalog.ts';
import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import { knownRefusals } from '../faults/known-refusals.ts';
import type { FaultSubject } from '../faults/fault.ts';
import { acceptedDelete, acceptedReply } from '../operations/operation-replies.ts';
import { idKey, parentOf } from '../arm-id.ts';
import { pagedList } from '../serve/paged-list.ts';
import { ok } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import type { AksMachineStore } from './aks-machines.ts';
import type { MachineBody } from './machine-body.ts';
import { batchEntriesOf, batchRefusal, bodyOfEntry, isBatch, partialRefusal } from './machine-batch.ts';
import { withNewestImage } from './machine-vm.ts';
import { deleteMachinesShape, machineShape } from './machine-shape.ts';

interface Service {
  readonly world: ArmWorld;
  readonly machines: AksMachineStore;
  readonly catalog: SkuCatalog;
}

/** AKS writes errors flat, without the `error` around them. */
const refusedFlat = ({ status, error }: ArmRefusal): ArmReply => ({ status, body: { details: null, ...error, subcode: '' } });

const poolRefusal = ({ world }: Service, { params }: ArmRequest): ArmRefusal | undefined => {
  const { account } = world;
  const isThere =
    params['cluster']?.toLowerCase() === account.clusterName.toLowerCase() && params['pool']?.toLowerCase() === account.machinesPoolName;
  return isThere ? undefined : refusal(404, 'NotFound', `Could not find the agent pool ${params['pool'] ?? ''}.`);
};

const conditionRefusal = ({ machines }: Service, { path, headers }: ArmRequest): ArmRefusal | undefined => {
  const machine = machines.find(path);
  if (machine !== undefined && headers['if-match'] !== undefined) machines.touch(machine);
  const isTaken = headers['if-none-match'] === '*' && machine !== undefined;
  const wanted = headers['if-match'];
  const isStale = wanted !== undefined && wanted !== String(machine?.version ?? '');
  if (!isTaken && !isStale) return undefined;
  return refusal(412, 'PreconditionFailed', 'The precondition given in one or more of the request header fields evaluated to false.');
};

/** AKS checks the size before it accepts a machine; what there is in stock it learns when it makes the VM. */
const sizeRefusal = ({ world, catalog }: Service, { body }: ArmRequest): ArmRefusal | undefined => {
  const { vmSize } = (body as MachineBody).properties.hardware;
  return catalog.find(vmSize) === undefined ? knownRefusals.machineSizeNotSupported(vmSize, world.account.location) : undefined;
};

/** Members that need a feature of the subscription are refused without it, whatever they say. */
const featureRefusal = ({ world }: Service, { body }: ArmRequest): ArmRefusal | undefined => {
  const { artifactStreamingProfile } = (body as MachineBody).properties.kubernetes;
  const isMissing = artifactStreamingProfile !== undefined && world.behaviours.missingFeatures.includes(ARTIFACT_STREAMING_FEATURE);
  if (!isMissing) return undefined;
  const message = `Feature ${ARTIFACT_STREAMING_FEATURE} is not enabled. Please see https://aka.ms/aks/previews for how to enable features.`;
  return refusal(400, 'BadRequest', message);
};

/**
 * Source: AKS, "Azure CNI networking for dynamic allocation of IPs": the subnets of nodes and pods lie in one virtual
 * network.
 */
const podSubnetRefusal = ({ world }: Service, { body }: ArmRequest): ArmRefusal | undefined => {
  const { podSubnetID } = (body as MachineBody).properties.network ?? {};
  if (podSubnetID === undefined || idKey(parentOf(podSubnetID)) === idKey(`${world.account.vnetId}/subnets`)) return undefined;
  return refusal(400, 'InvalidParameter', `The pod subnet ${podSubnetID} is not in the virtual network of the nodes.`);
};

const bodyRefusal = (service: Service, request: ArmRequest): ArmRefusal | undefined =>
  poolRefusal(service, request) ??
  aksBodyRefusal(request.body, machineShape) ??
  featureRefusal(service, request) ??
  podSubnetRefusal(service, request) ??
  sizeRefusal(service, request);

const refusalByFault = (effects: ArmRequest['effects']): ArmRefusal | undefined =>
  effects.find((effect) => effect.kind === 'refuse')?.refusal;

/** A batch changes no machine that is there. */
const existingRefusal = ({ machines }: Service, id: string): ArmRefusal | undefined => {
  const machine = machines.find(id);
  return machine && refusal(400, 'InvalidParameter', `Machine ${machine.name} exists.`);
};

/** The machine with the image that AKS gives it, by the api-version of the call. */
const withItsImage = (world: ArmWorld, { body, query }: ArmRequest): MachineBody => {
  const { ownImageVersions } = world.behaviours;
  const isIgnored = typeof ownImageVersions === 'boolean' ? ownImageVersions : ownImageVersions.includes(query.get('api-version') ?? '');
  return isIgnored ? withNewestImage(world, body as MachineBody) : (body as MachineBody);
};

/** Makes the machines of a batch. */
const putBatch = (service: Service, request: ArmRequest): ArmReply => {
  const { world, machines } = service;
  const refused = bodyRefusal(service, request) ?? batchRefusal(request);
  if (refused) return refusedFlat(refused);
  const base = parentOf(request.path);
  const body = withItsImage(world, request);
  const refusals = new Map<string, ArmRefusal>();
  const accepted = batchEntriesOf(request).flatMap((entry, index) => {
    const id = `${base}/${entry.machineName}`;
    const effects = request.effectsOfParts[index] ?? [];
    const why = refusalByFault(effects) ?? existingRefusal(service, id);
    if (why === undefined) return [machines.create(id, bodyOfEntry(body, entry), effects)];
    refusals.set(entry.machineName, why);
    return [];
  });
  const [first] = accepted;
  if (refusals.size > 0 || first === undefined) return refusedFlat(partialRefusal(refusals));
  return acceptedReply(world, 'Microsoft.ContainerService', {
    status: 200,
    body: machines.resource(first.machine),
    operation: first.operation,
  });
};

/** What nobody may change of a machine differs. */
const isAnother = (before: MachineBody, after: MachineBody): boolean =>
  before.properties.hardware.vmSize !== after.properties.hardware.vmSize ||
  before.zones?.[0] !== after.zones?.[0] ||
  (before.properties.priority ?? 'Regular') !== (after.properties.priority ?? 'Regular');

const put = (service: Service, request: ArmRequest): ArmReply => {
  if (isBatch(request)) return putBatch(service, request);
  const { world, machines } = service;
  const refused = bodyRefusal(service, request) ?? conditionRefusal(service, request);
  if (refused) return refusedFlat(refused);
  const body = request.body as MachineBody;
  const known = machines.find(request.path);
  if (known === undefined) {
    const { machine, operation } = machines.create(request.path, withItsImage(world, request), request.effects);
    return acceptedReply(world, 'Microsoft.ContainerService', { status: 201, body: machines.resource(machine), operation });
  }
  if (isAnother(known.body, body)) {
    return refusedFlat(refusal(400, 'OperationNotAllowed', `Changing size, zone or priority of machine ${known.name} is not allowed.`));
  }
  machines.tag(known, body.properties.tags ?? {});
  return ok(machines.resource(known));
};

const get = (service: Service, request: ArmRequest): ArmReply => {
  const machine = service.machines.find(request.path);
  const missing = refusal(404, 'NotFound', `Could not find the machine ${request.params['name'] ?? ''}.`);
  return machine === undefined ? refusedFlat(missing) : ok(service.machines.resource(machine));
};

const list = (service: Service, request: ArmRequest): ArmReply => {
  const refused = poolRefusal(service, request);
  if (refused) return refusedFlat(refused);
  const { machines, world } = service;
  const rows = machines.all().map((machine) => machines.resource(machine));
  return pagedList(rows, request, { world });
};

const remove = (service: Service, request: ArmRequest): ArmReply => {
  const { world, machines } = service;
  const refused = poolRefusal(service, request) ?? aksBodyRefusal(request.body, deleteMachinesShape);
  if (refused) return refusedFlat(refused);
  const { machineNames } = request.body as { readonly machineNames: readonly string[] };
  const base = parentOf(request.path);
  const found = machineNames.flatMap((name) => machines.find(`${base}/machines/${name}`) ?? []);
  if (found.length === 0)
    return refusedFlat(refusal(400, 'InvalidParameter', `There are no valid machines found in ${machineNames.join(', ')}.`));
  for (const machine of found) machines.delete(machine);
  const operation = world.operations.begin({
    durationMs: world.latencies.vmDeleteMs,
    effects: request.effects,
    succeed: () => undefined,
  });
  return acceptedDelete(world, 'Microsoft.ContainerService', operation);
};

const subjectOf = ({ body }: Pick<ArmRequest, 'body'>): Partial<FaultSubject> => {
  if (bodyProblem(body, machineShape) !== undefined) return {};
  const { zones, properties } = body as MachineBody;
  const capacityType = properties.priority === 'Spot' ? 'spot' : 'on-demand';
  return { vmSize: properties.hardware.vmSize, zone: zones?.[0] ?? '', capacityType };
};

const partsOf = (request: ArmRequest): readonly Partial<FaultSubject>[] => {
  if (!isBatch(request) || bodyProblem(request.body, machineShape) !== undefined) return [];
  const shared = request.body as MachineBody;
  return batchEntriesOf(request).map((entry) => ({ name: entry.machineName, ...subjectOf({ body: bodyOfEntry(shared, entry) }) }));
};

/** The machines of an agent pool over HTTP. */
export const aksMachineRoutes = (service: Service): readonly ArmRoute[] => {
  const pool =
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/Microsoft.ContainerService/managedClusters/{cluster}/agentPools/{pool}';
  const path = `${pool}/machines/{name}`;
  return [
    {
      operation: 'Machines_CreateOrUpdate',
      method: 'PUT',
      path,
      asynchronous: true,
      subject: subjectOf,
      parts: partsOf,
      refused: refusedFlat,
      handle: (request) => put(service, request),
    },
    {
      operation: 'Machines_Get',
      method: 'GET',
      path,
      refused: refusedFlat,
      handle: (request) => get(service, request),
    },
    {
      operation: 'Machines_List',
      method: 'GET',
      path: `${pool}/machines`,
      refused: refusedFlat,
      handle: (request) => list(service, request),
    },
    {
      operation: 'AgentPools_DeleteMachines',
      method: 'POST',
      path: `${pool}/deleteMachines`,
      asynchronous: true,
      refused: refusedFlat,
      handle: (request) => remove(service, request),
    },
  ];
};
