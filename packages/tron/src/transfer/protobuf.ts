/** A field of a protobuf message: an integer from 0 to 2⁶³ − 1, or bytes. Transfers need no other type. */
export type Field = readonly [number: number, value: bigint | Uint8Array]

/**
 * Encodes a proto3 message, which omits zero and empty values.
 *
 * @source protobuf.dev/programming-guides/encoding
 */
export function message(...fields: readonly Field[]): Buffer {
  const parts = fields.flatMap(([number, value]): Uint8Array[] => {
    const key = BigInt(number) << 3n
    if (typeof value === 'bigint') return value === 0n ? [] : [varint(key), varint(value)]
    return value.length === 0 ? [] : [varint(key | 2n), varint(BigInt(value.length)), value]
  })
  return Buffer.concat(parts)
}

/** Seven bits a byte, the lowest first; each byte but the last has its highest bit set. */
function varint(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`${value} is below zero`)
  const bytes: number[] = []
  let rest = value
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...bytes, Number(rest)])
}
