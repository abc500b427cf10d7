import { describe, expect, test } from '@jest/globals';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { decodeProtobuf, isKubernetesProtobuf } from './decode-protobuf.ts';

const message = (...fields: readonly (readonly [number, string | number | Uint8Array])[]): Buffer => {
  const out = new BinaryWriter();
  for (const [field, value] of fields) {
    if (typeof value === 'number') out.tag(field, WireType.Varint).int64(value);
    else out.tag(field, WireType.LengthDelimited).bytes(Buffer.from(value));
  }
  return Buffer.from(out.finish());
};

const enveloped = (kind: string, object: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, 'v1'], [2, kind])], [2, object])]);

describe("Kubernetes' protobuf", () => {
  test('is distinguished from JSON by its first bytes', () => {
    expect([isKubernetesProtobuf(enveloped('Namespace', Buffer.alloc(0))), isKubernetesProtobuf(Buffer.from('{}'))]).toEqual([true, false]);
  });

  test('maps, bytes, integers and nested messages become JSON; a zero that is meant stays', () => {
    const entry = message([1, 'app'], [2, 'x']);
    expect(
      decodeProtobuf(enveloped('Secret', message([1, message([1, 's'], [11, entry])], [2, message([1, 'k'], [2, 'v'])], [3, 'Opaque']))),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', labels: { app: 'x' } },
      data: { k: 'dg==' },
      type: 'Opaque',
    });
    expect(decodeProtobuf(enveloped('Deployment', message([2, message([1, 0], [5, 0])])))).toMatchObject({ spec: { replicas: 0 } });
  });

  test('a member that is not known is refused, not dropped', () => {
    expect(() => decodeProtobuf(enveloped('Secret', message([9, 'x'])))).toThrow(expect.objectContaining({ code: 'UnsupportedMediaType' }));
    expect(() => decodeProtobuf(enveloped('Mystery', Buffer.alloc(0)))).toThrow(expect.objectContaining({ code: 'UnsupportedMediaType' }));
  });

  test.each([
    ['cut short', enveloped('Secret', message([1, 'x'])).subarray(0, -1)],
    ['with a field number of zero', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0, 0])])],
  ])('a body %s is a bad request', (_, body) => {
    expect(() => decodeProtobuf(body)).toThrow(expect.objectContaining({ code: 'BadRequest' }));
  });
});
