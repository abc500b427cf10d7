import { readFileSync, writeFileSync } from 'node:fs';
import { type ArmCertificates, createArmCertificates } from '@karpenter/azure-emulator';
import type { TestCluster } from '../clusters/test-cluster.ts';
import { making } from '../stories/provision-mode.ts';
import { startStoryIn } from '../stories/story.ts';
import { emulatorStage, SMALL_SUBNET } from './emulator-stage.ts';
import { type RecordProxy, type RecordProxyOptions, startRecordProxy } from './record-proxy.ts';
import { imagesIn, locationOf, type Recording } from './recording.ts';
import { type AcceptanceRun, runCases } from './run-cases.ts';

const namesOf = ({ arm: { account } }: TestCluster): RecordProxyOptions['names'] => ({
  subscription: account.subscriptionId,
  imageSubscription: account.imageSubscriptionId,
  nodeGroup: account.nodeResourceGroup,
  clusterGroup: account.clusterResourceGroup,
  cluster: account.clusterName,
});

type Variables = Readonly<Record<string, string>>;

/** The variables of a controller whose calls lead through the proxy. */
const leadThrough = (proxy: RecordProxy, { RETAIL_PRICES_URL: _own, ...variables }: Variables): Variables => {
  const path = variables['AZURE_ENVIRONMENT_FILEPATH'] ?? '';
  const file = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...file, ...proxy.endpoints }));
  return variables;
};

/** The emulator refuses a machine of an image that it does not have. */
const publishImages = ({ arm }: TestCluster, replay: Recording): void => {
  for (const image of imagesIn(replay)) arm.images.publish(image);
};

/** The user brought the network: AKS allows no second subnet in one of its own. */
const network = { vnet: 'own', subnets: { nodes: '10.50.0.0/24', [SMALL_SUBNET]: '10.50.1.0/29' } };

export interface EmulatorRunOptions {
  /** Of the emulator and of the proxy before it. Default new ones. */
  readonly certificates?: ArmCertificates;
  /** Its answers about sizes, quotas, images, prices and providers are those of the emulator, in its region. */
  readonly replay?: Recording;
  /** Keeps what the controller calls. Default false. */
  readonly isRecorded?: boolean;
}

export interface EmulatorRun {
  /** Undefined: nothing was recorded. */
  readonly recording: Recording | undefined;
  /** How many answers came from the recording. */
  readonly replayed: number;
  readonly cluster: TestCluster;
  /** Of the controller. */
  readonly variables: Variables;
}

/** Stands between the controller and the emulator, where something is to be recorded or replayed. */
const startProxy = (
  cluster: TestCluster,
  { certificates, replay, isRecorded }: EmulatorRunOptions & { readonly certificates: ArmCertificates },
): Promise<RecordProxy> | undefined => {
  if (replay === undefined && isRecorded !== true) return undefined;
  const { url, caPem } = cluster.arm;
  const proxied = { upstream: url, upstreamCa: caPem, certificates, names: namesOf(cluster) };
  return startRecordProxy({ ...proxied, ...(replay && { replay }) });
};

/** Runs the cases on an embedded cluster with an emulated Azure, all in this process. */
export const runOnEmulator = async (acceptance: AcceptanceRun, options: EmulatorRunOptions = {}): Promise<EmulatorRun> => {
  const { certificates = await createArmCertificates(), replay } = options;
  const location = replay === undefined ? undefined : locationOf(replay);
  await using story = await startStoryIn({ certificates, network, isStarted: false, ...(location !== undefined && { location }) });
  const { cluster } = story;
  await using proxy = await startProxy(cluster, { ...options, certificates });
  const own = making(acceptance.mode)(cluster);
  const variables = { ...(proxy === undefined ? own : leadThrough(proxy, own)), ...acceptance.variables };
  if (replay !== undefined) publishImages(cluster, replay);
  await story.start(variables);
  await runCases(emulatorStage(story, variables), acceptance.cases, acceptance.onResult);
  return { recording: proxy?.recording(new Date(0)), replayed: proxy?.replayed() ?? 0, cluster, variables };
};
