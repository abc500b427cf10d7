import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const template = join(import.meta.dirname, 'template');

/** It becomes part of a group, a kind and a plural; none may be longer than 63. */
const NAME = /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** A provider cannot be called so. */
class ProviderNameError extends Error {
  override readonly name = 'ProviderNameError';
  readonly code = 'invalid-name';
}

interface Spellings {
  /** `my-cloud`, `MyCloud`, `myCloud`, `mycloud`. */
  readonly kebab: string;
  readonly pascal: string;
  readonly camel: string;
  readonly flat: string;
}

const spellingsOf = (name: string): Spellings => {
  const pascal = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { kebab: name, pascal, camel: pascal.charAt(0).toLowerCase() + pascal.slice(1), flat: name.replaceAll('-', '') };
};

/** The template's code under another name. What speaks of SSH itself stays: it is what the author exchanges. */
const renamed = (text: string, { kebab, pascal, camel, flat }: Spellings): string =>
  text
    .replaceAll(/Ssh(?=NodeClass|Provider)/g, pascal)
    .replaceAll(/ssh(?=NodeClassKind|Hash)/g, camel)
    .replaceAll('sshnodeclasses', `${flat}nodeclasses`)
    .replaceAll(/ssh(?=\.example\.com|:\/\/\/)/g, kebab)
    .replaceAll(/`ssh-(?=\$|\d)/g, `\`${kebab}-`)
    .replaceAll(/(?<=readonly name = |describeCloudProvider\(\n {2})'ssh'/g, `'${kebab}'`)
    .replaceAll("title: 'SSH'", `title: '${pascal}'`);

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const packageJson = ({ kebab }: Spellings): string =>
  json({
    name: `karpenter-provider-${kebab}`,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=24.11' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'crd.yaml'],
    scripts: {
      build: 'tsc -p .',
      test: 'node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js',
      try: 'node --no-warnings src/try.ts',
    },
    dependencies: { '@karpenter/core': '^0.1.0', '@karpenter/runtime': '^0.1.0' },
    devDependencies: {
      '@jest/globals': '^30.0.0',
      '@karpenter/simulator': '^0.1.0',
      '@karpenter/testkit': '^0.1.0',
      '@swc/core': '^1.16.0',
      '@swc/jest': '^0.2.39',
      '@types/node': '^24.10.0',
      jest: '^30.0.0',
      typescript: '^6.0.0',
    },
  });

const TSCONFIG = json({
  compilerOptions: {
    ...{ target: 'ES2023', lib: ['ES2025', 'ESNext.Disposable'], module: 'NodeNext', types: ['node'] },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
    ...{ skipLibCheck: true, rewriteRelativeImportExtensions: true, declaration: true, rootDir: 'src', outDir: 'dist' },
  },
  include: ['src'],
});

const JEST_CONFIG = `export default {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  testTimeout: 60_000,
};
`;

const crd = ({ kebab, pascal, flat }: Spellings): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${flat}nodeclasses.${kebab}.example.com
spec:
  group: ${kebab}.example.com
  scope: Cluster
  names: { kind: ${pascal}NodeClass, listKind: ${pascal}NodeClassList, plural: ${flat}nodeclasses, singular: ${flat}nodeclass }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [join, leave, hosts]
              properties:
                join: { type: string }
                leave: { type: string }
                hosts:
                  type: array
                  items:
                    type: object
                    required: [name, address, cpu, memory, zone]
                    properties:
                      name: { type: string }
                      address: { type: string }
                      cpu: { type: string }
                      memory: { type: string }
                      zone: { type: string }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

const readme = ({ kebab, pascal }: Spellings): string => `# karpenter-provider-${kebab}

A provider for Karpenter. As generated it lets machines join that stand ready, over SSH; exchange \`src/hosts.ts\` for the API of your cloud, and \`src/node-class.ts\` for
what your machines are made by. \`npm test\` says which rules of the contract it keeps.
Where Karpenter's packages are not in your registry, pack them in its repository, and \`npm install ./karpenter-*.tgz\` takes the files.

    npm install && npm test && npm run build
    npm run try -- ../karpenter        # the controller with it, on an embedded cluster; ../karpenter is a built clone of Karpenter

In a cluster, \`kubectl apply -f crd.yaml\` adds the kind ${pascal}NodeClass, and the controller gets \`--cloud-provider karpenter-provider-${kebab}\`.
`;

/** Path → text of a provider's package. Errors: ProviderNameError. */
export const providerFiles = (name: string): ReadonlyMap<string, string> => {
  if (!NAME.test(name))
    throw new ProviderNameError(
      `${JSON.stringify(name)} is no name for a provider: expected at most 40 small letters, digits and single hyphens, a letter first`,
    );
  const spellings = spellingsOf(name);
  return new Map([
    ...readdirSync(template).map((file): [string, string] => [
      `src/${file}`,
      renamed(readFileSync(join(template, file), 'utf8'), spellings),
    ]),
    ['package.json', packageJson(spellings)],
    ['tsconfig.json', TSCONFIG],
    ['jest.config.mjs', JEST_CONFIG],
    ['.npmrc', 'engine-strict=true\n'],
    ['crd.yaml', crd(spellings)],
    ['README.md', readme(spellings)],
  ]);
};
