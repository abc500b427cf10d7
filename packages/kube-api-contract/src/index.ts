export { describeKubeApi, type ServerUnderTest } from './describe-kube-api.ts';
export { type Connection, createRawKubeClient, type RawKubeClient } from './kube-client.ts';
export { chosenServer, spawnEnvtest } from './real-servers.ts';
