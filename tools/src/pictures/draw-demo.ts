import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.ts';
import { screenshot } from './screenshot.ts';
import { terminalPage } from './terminal-page.ts';
import { terminalScreens } from './terminal-screens.ts';

const SIZE = { cols: 120, rows: 44 };
const pictures = repository('docs/public');

/** Name of a picture → which screen it shows: the first that is so. */
const moments: readonly (readonly [string, (screen: string) => boolean])[] = [
  ['demo-scale-up.png', (screen) => screen.includes('scale inflate to 60') && /(?: starting {2,}Standard.*){2}/s.test(screen)],
  ['demo-end.png', (screen) => screen.includes('docs/getting-started.md')],
];

/** `draw-demo.ts <recording> [browser]`: pictures of the demo's terminal for the pages, from what `script` recorded of it. */
const [recording, browser = 'chromium'] = process.argv.slice(2);
if (recording === undefined) throw new Error('say which file the recording is in');
const waiting = new Map(moments);
for await (const lines of terminalScreens(readFileSync(recording, 'utf8'), SIZE)) {
  for (const [name, isIt] of waiting) {
    if (!isIt(lines.join('\n'))) continue;
    screenshot(terminalPage(lines), browser, join(pictures, name));
    waiting.delete(name);
  }
}
if (waiting.size > 0) throw new Error(`the recording has no screen for ${[...waiting.keys()].join()}`);
