export { describeKubeApi, type ServerUnderTest } from './describe-kube-api.ts';
export type { Connection } from './kube-client.ts';
export { chosenServer, spawnEnvtest } from './real-servers.ts';
