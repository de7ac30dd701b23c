/** A protobuf field: an integer or bytes. Tron's messages need no other type. */
export type Field = readonly [number: number, value: number | Uint8Array]

/** Encodes a proto3 message, which omits zero and empty values. */
export function encodeMessage(fields: readonly Field[]): Buffer {
  const parts: Uint8Array[] = []
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      if (value !== 0) parts.push(varint(number * 8), varint(value))
    } else if (value.length > 0) {
      parts.push(varint(number * 8 + 2), varint(value.length), value)
    }
  }
  return Buffer.concat(parts)
}

/** @throws RangeError if the bytes are no such message */
export function decodeMessage(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('The message ends inside a number.')
      value += (byte % 128) * scale
      if (!Number.isSafeInteger(value)) throw new RangeError('A number is above 2^53.')
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = number()
    const field = Math.floor(key / 8)
    if (key % 8 === 0) {
      fields.push([field, number()])
    } else if (key % 8 === 2) {
      const end = number() + at
      if (end > bytes.length) throw new RangeError('The message ends inside a field.')
      fields.push([field, bytes.subarray(at, end)])
      at = end
    } else {
      throw new RangeError('The message has a field of an unknown kind.')
    }
  }
  return fields
}

/** The last value of a field, as in proto3; empty if missing. */
export function bytesOf(fields: readonly Field[], number: number): Uint8Array {
  const value = fields.findLast(([field]) => field === number)?.[1] ?? new Uint8Array()
  if (typeof value === 'number') throw new RangeError(`Field ${number} is not bytes.`)
  return value
}

/** The last value of a field, as in proto3; 0 if missing. */
export function numberOf(fields: readonly Field[], number: number): number {
  const value = fields.findLast(([field]) => field === number)?.[1] ?? 0
  if (typeof value !== 'number') throw new RangeError(`Field ${number} is not a number.`)
  return value
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}
