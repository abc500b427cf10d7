import { classifyResponse, type Transport } from '@karpenter/runtime';

/** `gitVersion` of the API server: `v1.34.2`. Errors: KubeError. */
export const serverVersionOf = async (transport: Transport, signal: AbortSignal): Promise<string> => {
  const response = await transport.send({ method: 'GET', path: '/version', signal });
  if (response.status !== 200) throw classifyResponse(response);
  return (response.body as { readonly gitVersion: string }).gitVersion;
};
