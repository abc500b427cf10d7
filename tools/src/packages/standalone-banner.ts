/**
 * What the bundle of a program begins with: a refusal of an older Node.js, before anything else of the bundle, because
 * an older one cannot read some of it; and the `require` of bundled CommonJS code.
 */
export const standaloneBanner = (oldestNode: number): string =>
  [
    "import { createRequire as __createRequire } from 'node:module';",
    `if (Number(process.versions.node.split('.')[0]) < ${oldestNode}) {`,
    `console.error(\`karpenter needs Node.js ${oldestNode} or newer; this is \${process.version}\`);`,
    'process.exit(2);',
    '}',
    'const require = __createRequire(import.meta.url);',
  ].join(' ');
