/**
 * Karpenter alone in a process, so that what it uses is its own. Arguments: URL of the API server, and the time. Its clock moves when its
 * parent says so, and its machines are with its parent. Ends when its parent does.
 */
import { fakeClock } from '@karpenter/runtime';
import { kwokTypes } from './kwok-types.ts';
import { OwnUsage } from './own-usage.ts';
import { remoteCloud } from './remote-cloud.ts';
import { rpcOver } from './rpc.ts';
import { startKarpenter } from './start-karpenter.ts';
import { Traffic } from './traffic.ts';

const [server = '', startMs = '0'] = process.argv.slice(2);
const clock = fakeClock(Number(startMs));
const usage = new OwnUsage(clock);
const traffic = new Traffic();

/** Lets time pass. Gives the processor time that it took, in milliseconds. */
const advance = async (ms: number): Promise<number> => {
  const before = process.cpuUsage();
  await clock.advance(ms);
  await traffic.rest();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const ask = rpcOver(process, { usage: () => usage.take(), advance });
process.once('disconnect', () => process.exit(0));
startKarpenter({ server, clock, traffic, provider: remoteCloud(ask, kwokTypes), onRequest: (finished) => usage.count(finished) });
