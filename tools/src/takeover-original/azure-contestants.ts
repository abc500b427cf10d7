import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealCluster } from '@karpenter/simulator/real-cluster';
import type { ProvisionMode } from '../../../apps/controller/src/testing/stories/provision-mode.ts';
import { making } from '../../../apps/controller/src/testing/stories/provision-mode.ts';
import type { Contestant } from '../bench/original/contestant.ts';
import type { PlainEndpoints } from './plain-endpoints.ts';

/**
 * Puts a service account where client-go expects it, and becomes the program. The folder is seen by this process only:
 * it has a mount namespace of its own. Arguments: certificate file, token, program.
 */
const IN_CLUSTER = [
  'set -e',
  'mount -t tmpfs none /run',
  'folder=/run/secrets/kubernetes.io/serviceaccount',
  'mkdir -p "$folder"',
  'cp "$1" "$folder/ca.crt"',
  'printf %s "$2" >"$folder/token"',
  'exec "$3"',
].join('\n');

const publicCloud = (path: string, environment: object): string => {
  writeFileSync(path, JSON.stringify({ ...environment, name: 'AzurePublicCloud' }));
  return path;
};

/** Where both run. */
export interface ContestantSetting {
  readonly cluster: RealCluster;
  readonly mode: ProvisionMode['name'];
  readonly plain: PlainEndpoints;
}

/** Variables of both: machines are made in one mode, and get the extension that bills them in the public cloud. */
const shared = ({ cluster, mode, plain }: ContestantSetting): Readonly<Record<string, string>> => ({
  ...making(mode)(cluster),
  NODEBOOTSTRAPPING_SERVER_URL: plain.bootstrappingHost,
  AZURE_ENVIRONMENT_FILEPATH: publicCloud(join(cluster.programs.folder, 'azure.json'), cluster.arm.environmentFile()),
  PATH: process.env['PATH'] ?? '',
});

/** This controller, from a bundle. */
export const ourController = (setting: ContestantSetting, bundlePath: string): Contestant => ({
  name: 'ours',
  command: [process.execPath, bundlePath],
  env: shared(setting),
  crds: [],
});

/**
 * The original's released program, unchanged. It signs in by a managed identity and expects to run in a pod.
 */
export const originalController = (setting: ContestantSetting, program: string): Contestant => {
  const { programs, arm } = setting.cluster;
  const { folder, url, ca, token } = programs;
  const [caPath, trusted] = [join(folder, 'service-account-ca.crt'), join(folder, 'trusted.pem')];
  writeFileSync(caPath, ca);
  writeFileSync(trusted, `${ca}\n${arm.caPem}`);
  const { AZURE_CLIENT_SECRET: _secret, ...env } = shared(setting);
  return {
    name: 'original',
    command: ['unshare', '--mount', 'sh', '-c', IN_CLUSTER, 'sh', caPath, token, program],
    env: {
      ...env,
      AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
      IDENTITY_ENDPOINT: setting.plain.identityUrl,
      IDENTITY_HEADER: 'unused',
      SSL_CERT_FILE: trusted,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: new URL(url).port,
    },
    crds: [],
  };
};
