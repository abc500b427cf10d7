import manifest from '../../package.json' with { type: 'json' };

const pnpm = `npx -y pnpm@${manifest.dependencies.pnpm}`;

/**
 * What to do with a provider that was just written, for whoever reads the terminal: as lines of a shell, which are true
 * before Karpenter's packages are published and after.
 */
export const nextSteps = (folder: string): string => `next:
  cd ${folder} && npm install && npm test
where npm does not have Karpenter's packages (they are not published yet), pack them here first:
  ${pnpm} build
  for NAME in runtime core api-server azure-emulator simulator testkit; do ${pnpm} --filter "@karpenter/$NAME" pack --pack-destination "${folder}"; done
  cd ${folder} && npm install ./karpenter-*.tgz && npm test`;
