/**
 * Prints how easy the code is to read, in figures: value, bar and what `npm test` allows. With a part of a measure's
 * name also the places that it counts: `pnpm measure:code exported`. With `--json` as JSON.
 */
import { measureCode } from './code-measures/measures.ts';

const args = process.argv.slice(2);
const wanted = args.find((arg) => !arg.startsWith('--'));
const measures = measureCode();
if (args.includes('--json')) console.log(JSON.stringify(measures, undefined, 2));
else
  for (const { name, value, bar, most, places } of measures) {
    console.log(`${name.padEnd(48)} ${String(value).padStart(6)}   bar ${bar}, at most ${most}`);
    if (wanted !== undefined && name.includes(wanted)) for (const place of places) console.log(`  ${place}`);
  }
