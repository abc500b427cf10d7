import { chosenServer, describeKubeApi, spawnEnvtest } from '@karpenter/kube-api-contract';
import { systemClock } from '@karpenter/runtime';
import { startApiServer } from './start-api-server.ts';

describeKubeApi('the embedded server', async () => {
  const server = await startApiServer({ clock: systemClock });
  return { connection: { url: server.url }, [Symbol.asyncDispose]: () => server.close() };
});

const assets = process.env['KUBEBUILDER_ASSETS'];
if (assets !== undefined) describeKubeApi(`kube-apiserver of ${assets}`, () => spawnEnvtest(assets));

const kubeconfig = process.env['KARPENTER_TEST_KUBECONFIG'];
if (kubeconfig !== undefined) describeKubeApi(`the cluster of ${kubeconfig}`, () => chosenServer(kubeconfig));
