import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DashboardRecording } from '../dashboard/recording.ts';
import { sectionPage } from '../dashboard/section-page.ts';
import { repository } from '../repository.ts';
import { screenshot } from './screenshot.ts';

const pictures = repository('docs/public');

/** `What nodes have, and what they cost` → `what-nodes-have-and-what-they-cost` */
const fileNameOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

/**
 * `draw-dashboard.ts <recording> [browser]`: a picture of each row of the dashboard, from what `scrape-dashboard.ts`
 * recorded.
 */
const [recording, browser = 'chromium'] = process.argv.slice(2);
if (recording === undefined) throw new Error('say which file the recording is in');
const { sections, span } = JSON.parse(readFileSync(recording, 'utf8')) as DashboardRecording;
for (const section of sections)
  screenshot(sectionPage(section, span), browser, join(pictures, `dashboard-${fileNameOf(section.title)}.png`));
