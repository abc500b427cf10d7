import { afterAll, beforeAll } from '@jest/globals';
import { type ApiServer, startApiServer } from '@karpenter/api-server';
import { fakeClock } from '@karpenter/runtime';
import { crdFiles } from '../crd-files.ts';

/** An API server with the CRDs of the chart, for the tests of one file: read it while they run. */
export const crdServer = (): (() => ApiServer) => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({ clock: fakeClock() });
    server.installCrds(...crdFiles().values());
  });
  afterAll(() => server.close());
  return () => server;
};
