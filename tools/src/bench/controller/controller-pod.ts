import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:tls';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { createArmCertificates } from '@karpenter/azure-emulator';
import { type EmbeddedCluster, speedOptions, startEmbeddedCluster } from '@karpenter/simulator';
import { chartCrds } from '../../chart-crds.ts';
import { chartEnvironment, chartFlags } from '../../chart-process.ts';
import { kwokCrdFiles } from '../../crds/crd-files.ts';
import { type RunningContestant, startContestant } from '../original/contestant.ts';
import { writePodCredentials } from '../original/pod-credentials.ts';
import { bundleModule } from './bundled.ts';

/** Azure and its machines are so many times as fast as they are; the clock is the real one. */
const SPEED = 10;

/** The controller in a process of its own, as the chart runs it, beside an embedded cluster and its Azure in this one. */
export interface ControllerPod extends AsyncDisposable {
  readonly cluster: EmbeddedCluster;
  readonly controller: RunningContestant;
  /** The folder of its log, `controller.log`; gone when it is disposed of. */
  readonly folder: string;
}

/** The API server over TLS, which pods require. */
const tlsFront = async (apiUrl: string): Promise<Disposable & { readonly url: string; readonly ca: string }> => {
  const { caPem, certPem, keyPem } = await createArmCertificates();
  const port = Number(new URL(apiUrl).port);
  const server = createServer({ cert: certPem, key: keyPem }, (inside) => {
    const outside = connect(port, '127.0.0.1');
    const end = (): void => {
      inside.destroy();
      outside.destroy();
    };
    for (const socket of [inside, outside]) socket.on('error', end);
    inside.pipe(outside).pipe(inside);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${own}`, ca: caPem, [Symbol.dispose]: () => void server.close() };
};

const providers = {
  azure: ({ KUBECONFIG: _, ...variables }: Readonly<Record<string, string>>) => variables,
  kwok: () => ({ CLOUD_PROVIDER: '@karpenter/kwok' }),
};

/** Starts both; `flags` are further ones of Node. */
export const startControllerPod = async (provider: keyof typeof providers, flags: readonly string[] = []): Promise<ControllerPod> => {
  await using started = new AsyncDisposableStack();
  const bundle = started.use(await bundleModule(new URL('../../../../apps/controller/src/main.ts', import.meta.url)));
  const cluster = started.use(await startEmbeddedCluster({ crds: [...chartCrds(), ...kwokCrdFiles().values()], ...speedOptions(SPEED) }));
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-pod-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const front = started.use(await tlsFront(cluster.apiUrl));
  const pod = writePodCredentials(join(folder, 'pod'), { ...front, token: 'karpenter' });
  const contestant = {
    ...({ name: 'ours', command: [process.execPath, ...chartFlags, ...flags, bundle.path], crds: [] } as const),
    env: { ...chartEnvironment, ...providers[provider](cluster.environment()) },
  };
  const logPath = join(folder, 'controller.log');
  const access = { kubeconfigPath: cluster.kubeconfigPath, pod };
  const controller = started.use(await startContestant(contestant, { cluster: access, logPath }));
  const running = started.move();
  return { cluster, controller, folder, [Symbol.asyncDispose]: () => running.disposeAsync() };
};
