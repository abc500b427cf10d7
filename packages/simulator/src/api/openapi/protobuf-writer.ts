/** A protobuf message under construction. Fields are written in the order of the calls. */
export interface ProtobufWriter {
  text(field: number, value: string): void;
  flag(field: number, value: boolean): void;
  whole(field: number, value: number): void;
  real(field: number, value: number): void;
  message(field: number, value: Buffer): void;
  finish(): Buffer;
}

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
};

/** An empty message. */
export const protobufWriter = (): ProtobufWriter => {
  const parts: Buffer[] = [];
  const tag = (field: number, wire: number): void => void parts.push(varint(field * 8 + wire));
  const message = (field: number, value: Buffer): void => {
    tag(field, 2);
    parts.push(varint(value.length), value);
  };
  return {
    text: (field, value) => message(field, Buffer.from(value)),
    flag: (field, value) => {
      tag(field, 0);
      parts.push(varint(value ? 1 : 0));
    },
    whole: (field, value) => {
      tag(field, 0);
      parts.push(varint(value));
    },
    real: (field, value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      tag(field, 1);
      parts.push(bytes);
    },
    message,
    finish: () => Buffer.concat(parts),
  };
};
