/** Loaded into the controller's process beside its bundle (`--import`): answers its parent with what the process uses. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectedHeap, type ProcessUse } from './process-use.ts';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

const useNow = (): ProcessUse => {
  const { rss } = process.memoryUsage();
  const heap = collectedHeap();
  const resources = process.getActiveResourcesInfo();
  const timers = resources.filter((name) => name === 'Timeout' || name === 'Immediate').length;
  const loopDelayMs = delay.percentile(99) / 1e6;
  delay.reset();
  return { ...heap, residentBytes: rss, handles: resources.length - timers, timers, loopDelayMs };
};

process.on('message', () => process.send?.(useNow()));
process.once('disconnect', () => process.exit(0));
process.channel?.unref();
