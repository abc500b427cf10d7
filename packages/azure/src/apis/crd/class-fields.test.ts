import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ClassApi, specWith, startClassApi } from '../../testing/class-api.ts';

let api: ClassApi;
beforeAll(async () => {
  api = await startClassApi();
});
afterAll(() => api.close());

/** A field, what it takes, and what it does not, with what the refusal says beside the field. */
type Row = readonly [field: string, takes: readonly unknown[], refuses: readonly (readonly [value: unknown, why: string])[]];

const text = (length: number): string => 'a'.repeat(length);
const subnetIn = (group: string): string =>
  `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/n`;
const notANumber = ['12', 'must be of type integer'] as const;
const notABoolean = ['yes', 'must be of type boolean'] as const;
const SIZES = ['1E', '2P', '3T', '4G', '5M', '6K', '7Ei', '8Pi', '9Ti', '10Gi', '11Mi', '12Ki'];
const noSizes = ['', '50', '50m', '1.5Gi', '-1Gi', 'Gi'].map((size) => [size, 'should match'] as const);

const TOP: readonly Row[] = [
  [
    'vnetSubnetID',
    [subnetIn('MC_a.b-c(d)'), subnetIn(text(90)), subnetIn('rg').toUpperCase().replace('MICROSOFT.NETWORK', 'microsoft.network')],
    [
      [subnetIn('ends.'), 'should match'],
      [subnetIn(text(91)), 'should match'],
      [subnetIn('a b'), 'should match'],
      [`${subnetIn('rg')}/more`, 'should match'],
      [subnetIn('rg').replace('/subnets/n', ''), 'should match'],
      ['', 'should match'],
    ],
  ],
  ...['diskEncryptionSet', 'proximityPlacementGroup'].map((type): Row => {
    const id = `/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/${type}s/n`;
    return [
      `${type}ID`,
      [id, id.toUpperCase().replace('/R/', '/MC_r(1)/')],
      [
        [`${id}/more`, 'should match'],
        [subnetIn('rg'), 'should match'],
        ['', 'should match'],
      ],
    ];
  }),
  [
    'additionalSubnetIDs',
    [[], [subnetIn('rg')], Array.from({ length: 15 }, (_, index) => subnetIn(`rg${index}`))],
    [
      [[`${subnetIn('rg')}/more`], 'should match'],
      [[subnetIn('rg'), subnetIn('rg')], 'Duplicate'],
      [Array.from({ length: 16 }, (_, index) => subnetIn(`rg${index}`)), 'at most 15'],
    ],
  ],
  ['podSubnetID', [subnetIn('rg')], [[`${subnetIn('rg')}/more`, 'should match']]],
  [
    'ipFamilies',
    [['IPv4'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']],
    [
      [['IPv6'], 'nodes need an IPv4 address'],
      [['IPv4', 'IPv4'], 'Duplicate'],
      [['IPv4', 'IPv5'], 'supported values'],
      [[], 'at least 1'],
    ],
  ],
  ['osDiskSizeGB', [30, 128, 2048], [[29, 'greater than or equal to 30'], [2049, 'less than or equal to 2048'], notANumber]],
  [
    'imageFamily',
    ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'],
    [
      ['Flatcar', 'supported values'],
      ['ubuntu', 'supported values'],
    ],
  ],
  ['fipsMode', ['Disabled', 'FIPS'], [['Enabled', 'supported values']]],
  ['maxPods', [10, 250], [[9, 'greater than or equal to 10'], [251, 'less than or equal to 250'], notANumber]],
  ['security.encryptionAtHost', [true, false], [notABoolean]],
  ['security.trustedLaunch.vtpm', [true, false], [notABoolean]],
  ['security.trustedLaunch.secureBoot', [true, false], [notABoolean]],
  ['security.confidentialVM.osDiskEncryption', ['VMGuestStateOnly', 'DiskWithVMGuestState'], [['NonPersistedTPM', 'supported values']]],
  ['gpu.mode', ['Driver', 'None'], [['Off', 'supported values']]],
  ['gpu.mig', ['None', 'Dynamic', 'MIG1g', 'MIG7g'], [['MIG5g', 'supported values']]],
  ['artifactStreaming.enabled', [true, false], [notABoolean]],
  [
    'tags',
    [{}, { team: '' }, { [text(512)]: text(256) }, { 'a/b c:d': 'x<y>' }],
    [
      [{ [text(513)]: 'x' }, 'tag keys must be at most 512 characters'],
      [{ a: text(257) }, 'may not be more than 256'],
      ...['<', '>', '%', '&', '?', '\\'].map((sign) => [{ [`a${sign}b`]: 'x' }, 'tag keys must not contain'] as const),
    ],
  ],
];

const KUBELET: readonly Row[] = [
  ['kubelet.cpuManagerPolicy', ['none', 'static'], [['dynamic', 'supported values']]],
  ['kubelet.cpuCFSQuota', [true, false], [notABoolean]],
  ['kubelet.cpuCFSQuotaPeriod', ['100ms', '1s'], [[100, 'must be of type string']]],
  [
    'kubelet.imageGCHighThresholdPercent',
    [0, 100],
    [
      [-1, 'greater than or equal to 0'],
      [101, 'less than or equal to 100'],
    ],
  ],
  [
    'kubelet.imageGCLowThresholdPercent',
    [0, 100],
    [
      [-1, 'greater than or equal to 0'],
      [101, 'less than or equal to 100'],
    ],
  ],
  ['kubelet.topologyManagerPolicy', ['restricted', 'best-effort', 'none', 'single-numa-node'], [['strict', 'supported values']]],
  [
    'kubelet.allowedUnsafeSysctls',
    [[], ['net.core.*'], ['*'], ['kernel.msg*', 'kernel/shm_rmid_forced', 'net.ipv4.conf.eth0-1.route_localnet'], [text(253)]],
    [
      ['net.core.*', 'must be of type array'],
      ...['', 'a b', 'a,b', 'a\nb', 'a*b', '.a', 'a.', 'A', '$a', 'kernel.msg* --manifest-url=http://192.0.2.1/pod.yaml'].map(
        (odd) => [[odd], 'should match'] as const,
      ),
      [[text(254)], 'may not be more than 253'],
      [Array.from({ length: 101 }, (_, index) => `a${index}`), 'at most 100'],
    ],
  ],
  ['kubelet.containerLogMaxSize', SIZES, noSizes],
  ['kubelet.containerLogMaxFiles', [2, 50], [[1, 'greater than or equal to 2'], notANumber]],
  ['kubelet.podPidsLimit', [-1, 0, 4_294_967_296], [notANumber]],
  ['kubelet.failSwapOn', [true, false], [notABoolean]],
];

const LINUX: readonly Row[] = [
  ['linuxOSConfig.transparentHugePageEnabled', ['always', 'madvise', 'never'], [['defer', 'supported values']]],
  [
    'linuxOSConfig.transparentHugePageDefrag',
    ['always', 'defer', 'defer+madvise', 'madvise', 'never'],
    [['sometimes', 'supported values']],
  ],
  ['linuxOSConfig.sysctls.netIPv4TCPTwReuse', [true, false], [notABoolean]],
  [
    'linuxOSConfig.sysctls.netIPv4IPLocalPortRange',
    ['1024 65535', '32768 60999', '60999 65535', '40000 40000'],
    [
      ['1023 65535', 'the first port must be within 1024 and 60999'],
      ['61000 65535', 'the first port must be within 1024 and 60999'],
      ['1024 32767', 'the last port must be within 32768 and 65535'],
      ['1024 65536', 'the last port must be within 32768 and 65535'],
      ['40001 40000', 'the first port must not be greater than the last'],
      ['1024-65535', 'should match'],
      ['1024  65535', 'should match'],
    ],
  ],
];

/** Least and greatest value of each sysctl. Source: AKS custom node configuration. */
const RANGES: readonly (readonly [sysctl: string, least: number, greatest: number])[] = [
  ['fsAioMaxNr', 65536, 6553500],
  ['fsFileMax', 8192, 12000500],
  ['fsInotifyMaxUserWatches', 781250, 2097152],
  ['fsNrOpen', 8192, 20000500],
  ['kernelThreadsMax', 20, 513785],
  ['netCoreNetdevMaxBacklog', 1000, 3240000],
  ['netCoreOptmemMax', 20480, 4194304],
  ['netCoreRmemDefault', 212992, 134217728],
  ['netCoreRmemMax', 212992, 134217728],
  ['netCoreSomaxconn', 4096, 3240000],
  ['netCoreWmemDefault', 212992, 134217728],
  ['netCoreWmemMax', 212992, 134217728],
  ['netIPv4NeighDefaultGcThresh1', 128, 80000],
  ['netIPv4NeighDefaultGcThresh2', 512, 90000],
  ['netIPv4NeighDefaultGcThresh3', 1024, 100000],
  ['netIPv4TCPFinTimeout', 5, 120],
  ['netIPv4TCPKeepaliveProbes', 1, 15],
  ['netIPv4TCPKeepaliveTime', 30, 432000],
  ['netIPv4TCPMaxSynBacklog', 128, 3240000],
  ['netIPv4TCPMaxTwBuckets', 8000, 1440000],
  ['netIPv4TCPKeepaliveIntvl', 10, 90],
  ['netNetfilterNfConntrackBuckets', 65536, 524288],
  ['netNetfilterNfConntrackMax', 131072, 2097152],
  ['vmMaxMapCount', 65530, 262144],
  ['vmSwappiness', 0, 100],
  ['vmVfsCachePressure', 0, 100],
];

const SYSCTLS: readonly Row[] = RANGES.map(([name, least, greatest]) => [
  `linuxOSConfig.sysctls.${name}`,
  [least, greatest],
  [[least - 1, `greater than or equal to ${least}`], [greatest + 1, `less than or equal to ${greatest}`], notANumber],
]);

const certificateOf = (size: number): string => Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64').padEnd(size, 'A');
const noCertificates = [
  Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64'),
  '-----BEGIN CERTIFICATE-----',
  `${certificateOf(40)}\n`,
  '',
];
/** What a shell, an environment file or systemd would find more in than text. */
const noText = ['$(id)', '`id`', 'a;id', "a'b", 'a"b', 'a b', 'a\nb', 'a%20b', 'a&b', 'a|b', 'a\\b', 'a*'];

const NETWORK: readonly Row[] = [
  [
    'httpProxyConfig.httpProxy',
    ['http://proxy', 'http://user:pass@proxy.example.com:3128/', 'http://[fd00::1]:3128'],
    [['https://proxy', 'should match'], ['proxy:3128', 'should match'], ...noText.map((odd) => [`http://${odd}`, 'should match'] as const)],
  ],
  [
    'httpProxyConfig.httpsProxy',
    ['http://proxy', 'https://proxy'],
    [['socks5://proxy', 'should match'], ...noText.map((odd) => [`https://${odd}`, 'should match'] as const)],
  ],
];

interface Listed {
  readonly name: string;
  readonly specOf: (item: string) => object;
  readonly takes: readonly string[];
  readonly refuses: readonly string[];
}

/** Items of lists, and members that need others beside them. */
const LISTED: readonly Listed[] = [
  {
    name: 'noProxy',
    specOf: (item) => ({ httpProxyConfig: { httpProxy: 'http://proxy', noProxy: [item] } }),
    takes: ['localhost', '.example.com', 'a.b:8080', '10.0.0.0/8', 'fd00::/8', '[fd00::1]'],
    refuses: ['', 'a,b', '-a', ...noText],
  },
  {
    name: 'customCATrustCertificates',
    specOf: (item) => ({ security: { customCATrustCertificates: [item] } }),
    takes: [certificateOf(40), certificateOf(4096)],
    refuses: [certificateOf(4100), ...noCertificates],
  },
  {
    name: 'trustedCa',
    specOf: (trustedCa) => ({ httpProxyConfig: { httpProxy: 'http://proxy', trustedCa } }),
    takes: [certificateOf(40), certificateOf(8192)],
    refuses: [certificateOf(8196), ...noCertificates],
  },
];

const admitted = (field: string, value: unknown) => api.admit(specWith(field, value));

describe('a field of an AKSNodeClass', () => {
  test.each([...TOP, ...KUBELET, ...LINUX, ...SYSCTLS, ...NETWORK])('%s', (field, takes, refuses) => {
    expect(takes.map((value) => admitted(field, value).refusal)).toEqual(takes.map(() => ''));
    for (const [value, why] of refuses) {
      const { refusal } = admitted(field, value);
      expect(refusal).toContain(`spec.${field}`);
      expect(refusal).toContain(why);
    }
  });

  test.each(LISTED)('$name takes what it may hold, and nothing else', ({ specOf, takes, refuses }) => {
    for (const value of takes) expect([value, api.admit(specOf(value)).refusal]).toEqual([value, '']);
    for (const value of refuses) expect([value, api.admit(specOf(value)).refusal]).not.toEqual([value, '']);
  });

  test('that the schema does not define is dropped, as an API server does', () => {
    expect(admitted('imageID', 'x').spec).not.toHaveProperty('imageID');
    expect(admitted('kubelet.clusterDNS', ['10.0.0.10']).spec?.kubelet).not.toHaveProperty('clusterDNS');
  });

  test('of a swap file takes the sizes of a log', () => {
    const admit = (swapFileSize: string) => api.admit({ kubelet: { failSwapOn: false }, linuxOSConfig: { swapFileSize } }).refusal;
    expect(SIZES.map(admit)).toEqual(SIZES.map(() => ''));
    for (const [size, why] of noSizes) expect(admit(size)).toMatch(new RegExp(`spec.linuxOSConfig.swapFileSize.*${why}`));
  });
});

describe('what is not given', () => {
  const kubelet = {
    cpuManagerPolicy: 'none',
    cpuCFSQuota: true,
    cpuCFSQuotaPeriod: '100ms',
    topologyManagerPolicy: 'none',
    containerLogMaxSize: '50Mi',
    containerLogMaxFiles: 5,
  };
  test.each<[string, object, object]>([
    ['an empty spec', {}, {}],
    ['a kubelet', { kubelet: {} }, { kubelet }],
    ['a kubelet with a member', { kubelet: { failSwapOn: true } }, { kubelet: { ...kubelet, failSwapOn: true } }],
    ['a GPU', { gpu: {} }, { gpu: { mode: 'Driver' } }],
    ['security', { security: { trustedLaunch: {} } }, { security: { trustedLaunch: {} } }],
    ['streaming', { artifactStreaming: {} }, { artifactStreaming: {} }],
    ['settings of the system', { linuxOSConfig: { sysctls: {} } }, { linuxOSConfig: { sysctls: {} } }],
  ])('in %s is filled in with the defaults, and with nothing else', (_, spec, stored) => {
    for (const version of ['v1beta1', 'v1alpha2'] as const)
      expect(api.admit(spec, version).spec).toEqual({ osDiskSizeGB: 128, imageFamily: 'Ubuntu', ...stored });
  });
});
