import {
  createKubeClient,
  createManager,
  createObjectCache,
  createPinoLogger,
  createTransport,
  kindTable,
  settled,
  systemClock,
} from '@karpenter/runtime';
import { loadKubeConfig } from '@karpenter/runtime/kubeconfig';

const nodes = kindTable([{ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }]);
const clock = systemClock;
const logger = createPinoLogger();
const client = createKubeClient(createTransport(await loadKubeConfig(), { clock }), nodes);
const manager = createManager({
  clock,
  logger,
  caches: [createObjectCache({ client, kind: 'Node', clock, logger })],
  controllers: [
    {
      name: 'node.greeter',
      kind: 'Node',
      reconcile: (node) => {
        logger.info('seen', { node });
        return Promise.resolve(settled);
      },
    },
  ],
  onFatal: () => process.exit(1),
});
const end = new AbortController();
process.once('SIGTERM', () => end.abort());
await manager.run(end.signal);
