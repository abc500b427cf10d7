/**
 * `pnpm bench:arm`: how many calls to Azure Resource Manager a created node costs in each way of making machines.
 * Polling and the billing extension are included. The emulator throttles as Azure and its AKS do. `--json` prints JSON.
 */
import { type Figure, report } from '../report.ts';
import { type AzureBench, type BenchMode, startAzureBench } from './azure-bench.ts';

const NODES = 500;
const RATE_LIMITED = 429;

const isArm = (operation: string): boolean => !/^(?:Tokens?|OpenId|RetailPrices|Authority|Unknown)/i.test(operation);

const MODES = ['aksscriptless', 'aksmachineapi', 'aksmachineapiheaderbatch'] as const;

const scaleUp = async (bench: AzureBench, nodes: number): Promise<readonly Figure[]> => {
  const { mode, arm, azure, clock } = bench;
  arm.requests.clear();
  const startMs = clock.now();
  await Promise.all(Array.from({ length: nodes }, (_, index) => bench.launch(`general-${nodes}-${index}`)));
  await azure.idle();
  const name = `${mode}, ${nodes} node${nodes === 1 ? '' : 's'}`;
  const tookSeconds = (clock.now() - startMs) / 1000;
  const calls = arm.requests.all().filter(({ operation }) => isArm(operation));
  const throttled = calls.filter(({ status }) => status === RATE_LIMITED).length;
  const counts = Object.entries(arm.requests.counts()).filter(([operation]) => isArm(operation));
  return [
    { case: `${name}: calls a node`, figure: calls.length / nodes, unit: 'calls', ...(nodes === NODES && { atMost: 6 }) },
    { case: `${name}: calls that were throttled (429)`, figure: (throttled / calls.length) * 100, unit: '%', atMost: 1 },
    { case: `${name}: all machines up after`, figure: tookSeconds, unit: 's' },
    ...counts
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, count]) => ({ case: `${name}: ${operation}`, figure: count / nodes, unit: 'calls a node' })),
  ];
};

const measured = async (mode: BenchMode): Promise<readonly Figure[]> => {
  await using bench = await startAzureBench(mode);
  return [...(await scaleUp(bench, 1)), ...(await scaleUp(bench, NODES))];
};

const figures: Figure[] = [];
for (const mode of MODES) figures.push(...(await measured(mode)));
report(figures);
