/** `npm run demo`: an embedded cluster, the controller, a workload that comes and goes, and what Karpenter makes of it. */
import { parseDemoArguments } from './demo-arguments.ts';
import { runDemo } from './demo.ts';

const parsed = parseDemoArguments(process.argv.slice(2));
switch (parsed.kind) {
  case 'say':
    (parsed.exitCode === 0 ? process.stdout : process.stderr).write(`${parsed.text}\n`);
    process.exitCode = parsed.exitCode;
    break;
  case 'run':
    process.exitCode = await runDemo(parsed.arguments);
    break;
}
