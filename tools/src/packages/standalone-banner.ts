/**
 * What the bundle of a program begins with: a refusal of an older Node.js (`22.12`), before anything else of the bundle,
 * because an older one cannot read some of it; and the `require` of bundled CommonJS code.
 */
export const standaloneBanner = (oldestNode: string): string => {
  const [oldestMajor, oldestMinor = '0'] = oldestNode.split('.');
  return [
    "import { createRequire as __createRequire } from 'node:module';",
    "{ const [major, minor] = process.versions.node.split('.').map(Number);",
    `if (major < ${oldestMajor} || (major === ${oldestMajor} && minor < ${oldestMinor})) {`,
    `console.error(\`karpenter needs Node.js ${oldestNode} or newer; this is \${process.version}\`);`,
    'process.exit(2);',
    '} }',
    'const require = __createRequire(import.meta.url);',
  ].join(' ');
};
