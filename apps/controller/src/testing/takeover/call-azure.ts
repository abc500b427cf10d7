import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ArmEmulator } from '@karpenter/azure-emulator';

type Json = Readonly<Record<string, unknown>>;

/** One call to Azure by somebody who is no controller. */
export interface AzureCall {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  /** With the api-version. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

const sent = async ({ url, caPem }: ArmEmulator, { method, path, headers = {}, body }: AzureCall): Promise<Json> => {
  const call = request(new URL(path, url), { method, ca: caPem, headers: { 'content-type': 'application/json', ...headers } });
  call.end(body && JSON.stringify(body));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  const answered = await text(answer);
  if ((answer.statusCode ?? 0) >= 300) throw new Error(`${method} ${path}: ${String(answer.statusCode)} ${answered}`);
  return (answered === '' ? {} : JSON.parse(answered)) as Json;
};

/** Signs in as the machine that this runs on, and calls. Throws what Azure refuses. */
export const callAzure = async (arm: ArmEmulator, call: AzureCall): Promise<Json> => {
  const resource = encodeURIComponent(arm.environmentFile().tokenAudience);
  const path = `/metadata/identity/oauth2/token?api-version=2018-02-01&resource=${resource}`;
  const token = await sent(arm, { method: 'GET', path, headers: { metadata: 'true' } });
  return sent(arm, { ...call, headers: { ...call.headers, authorization: `Bearer ${String(token['access_token'])}` } });
};
