import type { PageFiles } from './dashboard-server.ts';

/** The page as `pnpm build` makes it. */
export declare const pageFiles: PageFiles;
