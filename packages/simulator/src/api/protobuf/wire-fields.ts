/** One field of a protobuf message as it stands on the wire. */
export interface WireField {
  readonly number: number;
  /** A varint, or the bytes of a length-delimited field. */
  readonly value: bigint | Buffer;
}

/** The fields of a message, in order. Throws a RangeError when it is cut short or holds a wire type that Kubernetes types do not use. */
export const wireFields = (message: Buffer): readonly WireField[] => {
  const fields: WireField[] = [];
  let offset = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(offset);
      offset += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (offset < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    if ((tag & 7) === 0) fields.push({ number, value: varint() });
    else if ((tag & 7) === 2) {
      const length = Number(varint());
      if (offset + length > message.length) throw new RangeError('a protobuf field is longer than its message');
      fields.push({ number, value: message.subarray(offset, offset + length) });
      offset += length;
    } else throw new RangeError(`protobuf wire type ${tag & 7} is not expected`);
  }
  return fields;
};
