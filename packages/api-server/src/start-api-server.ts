import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kubeconfigOf } from '@karpenter/runtime/kubeconfig';
import { parseAllDocuments } from 'yaml';
import { ADMINISTRATOR, createGate } from './access/gate.ts';
import { withOwnerAdmission } from './access/owner-admission.ts';
import type { ApiServer, ApiServerOptions } from './public/api-server.ts';
import type { User } from './public/access.ts';
import { createEngine } from './engine/engine.ts';
import { createFaultBox } from './faults/fault-box.ts';
import { applyDefinition, startCrdKeeper } from './crd/crd-keeper.ts';
import { createFirstObjects } from './engine/first-objects.ts';
import { createDocumentServer, FIRST_VERSION } from './http/document-handler.ts';
import { createListener } from './http/request-listener.ts';
import { createTextMemo } from './http/watch-stream.ts';
import type { JsonObject } from './json/json.ts';
import { createLocalApi } from './local/create-local-api.ts';
import { createPolicyGate } from './policies/admit.ts';
import { createPager } from './verbs/paging.ts';

/**
 * Starts an API server on 127.0.0.1. It serves as soon as the promise resolves; nothing is shared with other servers of
 * the process.
 */
export const startApiServer = async (options: ApiServerOptions): Promise<ApiServer> => {
  const { clock, port = 0, watchCacheSize = 20_000, seed = 1, bookmarkIntervalMs = 60_000 } = options;
  const engine = createEngine({ clock, historySize: watchCacheSize, seed });
  const crds = startCrdKeeper(engine);
  createFirstObjects(engine);
  const pager = createPager(engine);
  const faults = createFaultBox(engine, pager.forget);
  const gate = createGate(engine, { isOpen: options.authorization !== 'RBAC' });
  const policies = createPolicyGate(engine);
  let version = FIRST_VERSION;
  const kubeconfigFor = (user: User): string => kubeconfigOf({ name: 'simulator', url, token: gate.issue(user) });
  const tools = {
    engine,
    pager,
    faults,
    bookmarkIntervalMs,
    documents: createDocumentServer(engine, gate, () => version),
    gate,
    policies:
      options.ownerReferencesPermissionEnforcement === true ? withOwnerAdmission(policies, { gate, registry: engine.registry }) : policies,
    textOf: createTextMemo(),
  };
  const server = createServer({ keepAlive: true, noDelay: true, keepAliveTimeout: 120_000 }, createListener(tools));
  const taken = await listeningPort(server, port);
  const url = `http://127.0.0.1:${taken}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      crds[Symbol.dispose]();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url,
    port: taken,
    local: createLocalApi(engine),
    faults,
    access: { kubeconfigOf: kubeconfigFor, accesses: () => gate.accesses() },
    upgrade: (to) => void (version = to),
    kubeconfig: () => kubeconfigFor(ADMINISTRATOR),
    installCrds: (...yaml) => {
      for (const found of yaml.flatMap(definitionsIn)) if (found !== null) applyDefinition(engine, found);
    },
    aggregate: (api) => {
      engine.registry.aggregate(api);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

const listeningPort = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Parsed once in a process: tests start many servers with the same definitions, which take a quarter of a second. */
const parsed = new Map<string, ReturnType<typeof parseAllDocuments>>();
const definitionsIn = (text: string): readonly (JsonObject | null)[] => {
  const documents = parsed.get(text) ?? parseAllDocuments(text);
  parsed.set(text, documents);
  return documents.map((document) => document.toJS() as JsonObject | null);
};
