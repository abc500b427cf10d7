/**
 * `pnpm bench:idle`: what the controller takes in memory before there is anything to do, by part, with the Azure provider
 * and with kwok: 20 seconds after its start, as the chart runs it, in a process of its own beside an embedded cluster.
 * `--node-flag=FLAG` (repeatable) tries a flag of Node or V8; `--json` prints JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startControllerPod } from './controller/controller-pod.ts';
import { memoryPartsOf } from './controller/memory-parts.ts';
import { type Figure, report } from './report.ts';

const IDLE_MS = 20_000;
const MIB = 1024 ** 2;
/** Most that may be resident, in MiB. */
const BARS = { azure: 110, kwok: 85 };

const { values } = parseArgs({ options: { json: { type: 'boolean' }, 'node-flag': { type: 'string', multiple: true } } });

const figuresOf = async (provider: keyof typeof BARS): Promise<readonly Figure[]> => {
  await using pod = await startControllerPod(provider, values['node-flag']);
  await pause(IDLE_MS);
  const { all, ...parts } = memoryPartsOf(pod.controller.pid, await pod.controller.scrape());
  return [
    { case: `${provider}: resident`, figure: all / MIB, unit: 'MiB', atMost: BARS[provider] },
    ...Object.entries(parts).map(([part, bytes]) => ({ case: `${provider}: ${part}`, figure: bytes / MIB, unit: 'MiB' })),
  ];
};

report([...(await figuresOf('kwok')), ...(await figuresOf('azure'))]);
// Timers of the embedded clusters would keep the process.
process.exit(0);
