/** The element types of an array parameter, and their values. */
export type Elements = {
  readonly text: string
  readonly uuid: string
  /** A fraction is cut off. */
  readonly int4: number
  readonly int8: bigint
  readonly float8: number
  readonly bool: boolean
  readonly timestamptz: Date
}

/** Bytes that are written one after the other, and grow. */
export type Room = { bytes: Buffer; view: DataView; at: number }

export const newRoom = (size: number): Room => roomOf(Buffer.allocUnsafe(size), 0)

const roomOf = (bytes: Buffer, at: number): Room => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  at,
})

/** Makes room for this number of bytes more. */
export function reserve(room: Room, size: number): void {
  if (room.at + size <= room.bytes.length) return
  const larger = Buffer.allocUnsafe(2 * (room.at + size))
  larger.set(room.bytes.subarray(0, room.at))
  Object.assign(room, roomOf(larger, room.at))
}

export function writeInt4(room: Room, value: number): void {
  room.view.setInt32(room.at, value)
  room.at += 4
}

type Codec<Value> = {
  /** The id of the element type, from `pg_type`. */
  readonly oid: number
  /** How many bytes a value takes at most. */
  readonly sizeMax: (value: Value) => number
  /** @throws when the type has no such value, which would fail a whole batch in the server */
  readonly write: (room: Room, value: Value) => void
}

/** @source the `recv` functions of the types in PostgreSQL */
export const codecs: { readonly [Type in keyof Elements]: Codec<Elements[Type]> } = {
  text: { oid: 25, sizeMax: ({ length }) => 3 * length, write: writeText },
  uuid: { oid: 2950, sizeMax: () => 16, write: writeUuid },
  int4: {
    oid: 23,
    sizeMax: () => 4,
    write: (room, value) => {
      if (Math.trunc(value) !== (value | 0)) throw new RangeError(`not an int4: ${value}`)
      writeInt4(room, value)
    },
  },
  int8: { oid: 20, sizeMax: () => 8, write: writeInt8 },
  float8: {
    oid: 701,
    sizeMax: () => 8,
    write: (room, value) => {
      room.view.setFloat64(room.at, value)
      room.at += 8
    },
  },
  bool: {
    oid: 16,
    sizeMax: () => 1,
    write: (room, value) => {
      room.view.setInt8(room.at, value ? 1 : 0)
      room.at += 1
    },
  },
  timestamptz: { oid: 1184, sizeMax: () => 8, write: writeInstant },
}

/** For fewer characters a loop is faster than a native call. */
const loopMax = 32

function writeText(room: Room, text: string): void {
  const { length } = text
  const { bytes, at } = room
  let n = 0
  if (length <= loopMax) {
    for (; n < length; n++) {
      const code = text.charCodeAt(n)
      if (code > 127) break
      bytes[at + n] = code
    }
  }
  room.at += n === length ? n : bytes.write(text, at)
}

function writeUuid(room: Room, text: string): void {
  const { bytes } = room
  let at = room.at
  let wrong = text.length ^ 36 // not zero when the text is no UUID
  for (let n = 0; n < 36; n += 2) {
    if (n === 8 || n === 13 || n === 18 || n === 23) wrong |= text.charCodeAt(n++) ^ dash
    const byte = (digitOf(text, n) << 4) | digitOf(text, n + 1)
    wrong |= byte & ~255
    bytes[at++] = byte
  }
  if (wrong !== 0) throw new TypeError(`not a UUID: ${text}`)
  room.at = at
}

const dash = 0x2d

/** Values of the hexadecimal digits by their character code; -1 for any other. */
const digits = new Int16Array(128).fill(-1)
for (let digit = 0; digit < 16; digit++)
  for (const text of [digit.toString(16), digit.toString(16).toUpperCase()]) digits[text.charCodeAt(0)] = digit

/** Negative when it is none. */
const digitOf = (text: string, n: number): number => digits[text.charCodeAt(n)] ?? -1

function writeInt8(room: Room, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`not an int8: ${value}`)
  room.view.setBigInt64(room.at, value)
  room.at += 8
}

/** 2000-01-01, the epoch of PostgreSQL's timestamps. */
const postgresEpochMs = 946_684_800_000

function writeInstant(room: Room, instant: Date): void {
  const ms = instant.getTime() - postgresEpochMs
  const micros = ms * 1000
  if (!Number.isSafeInteger(micros)) return writeInt8(room, BigInt(ms) * 1000n)
  const high = Math.floor(micros / 2 ** 32)
  room.view.setInt32(room.at, high)
  room.view.setUint32(room.at + 4, micros - high * 2 ** 32)
  room.at += 8
}
