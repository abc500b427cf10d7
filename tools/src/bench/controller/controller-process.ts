/**
 * The controller alone in a process, so that what it uses is its own: as the app puts it together, but for its clock,
 * which moves when its parent says so, and its machines, which are with its parent. Arguments: URL of the API server,
 * and the time; `FEATURE_GATES` is heeded. Ends when its parent does.
 */
import { createPinoLogger, fakeClock } from '@karpenter/runtime';
import { simulatedNodeClassKind } from '@karpenter/simulator';
import { assembleController } from '../../../../apps/controller/src/controller.ts';
import type { ConfiguredPlugin } from '../../../../apps/controller/src/plugin/configured-plugin.ts';
import { parseSettings } from '../../../../apps/controller/src/settings/settings-parser.ts';
import { holdingOf } from './holding-of.ts';
import { kwokTypes } from './kwok-types.ts';
import { OwnUsage } from './own-usage.ts';
import { remoteCloud } from './remote-cloud.ts';
import { rpcOver } from './rpc.ts';
import { Traffic } from './traffic.ts';

const [server = '', startMs = '0'] = process.argv.slice(2);
const clock = fakeClock(Number(startMs));
const traffic = new Traffic();

/** Lets time pass. Gives the processor time that it took, in milliseconds. */
const advance = async (ms: number): Promise<number> => {
  const before = process.cpuUsage();
  await clock.advance(ms);
  await traffic.rest();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const ask = rpcOver(process, { usage: () => usage.take(), holding: () => holdingOf(registry), advance });
process.once('disconnect', () => process.exit(0));

const plugin: ConfiguredPlugin = {
  ...{ title: 'the parent', about: {} },
  nodeClassKinds: [simulatedNodeClassKind],
  kinds: [{ ...simulatedNodeClassKind, namespaced: false }],
  create: () => ({ provider: remoteCloud(ask, kwokTypes), controllers: [], singletons: [], start: () => Promise.resolve() }),
};

const { manager, registry } = assembleController({
  connection: { server, tls: {} },
  settings: { ...parseSettings({}, { FEATURE_GATES: process.env['FEATURE_GATES'] }).settings, disableLeaderElection: true },
  defaultSpread: [],
  ...{ plugin, clock, logger: createPinoLogger({ level: 'info' }) },
  onFatal: (error) => {
    throw error;
  },
});
const usage = new OwnUsage(clock, registry);
void manager.run(new AbortController().signal);
