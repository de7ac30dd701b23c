/** One change of a text of bytes. */
export type Damage = {
  readonly kind: (typeof damageKinds)[number]
  /** Taken modulo the length. */
  readonly at: number
  /** The new byte, the flipped bit, or the number of bytes that are cut or repeated. */
  readonly value: number
}

/** `flip` and `set` change one byte; the others change the length. */
export const damageKinds = ['flip', 'set', 'insert', 'delete', 'repeat', 'truncate'] as const

/**
 * The damage of a broken line, disk or proxy to bytes. The same damages make the same of the same bytes.
 *
 * @param damages  applied one after another
 */
export const damagedBytes = (bytes: Uint8Array, damages: readonly Damage[]): Buffer =>
  damages.reduce<Buffer>(
    (damaged, damage) => (damaged.length === 0 ? damaged : apply(damaged, damage)),
    Buffer.from(bytes),
  )

function apply(bytes: Buffer, { kind, at: position, value }: Damage): Buffer {
  const at = position % bytes.length
  const byte = value % 256
  const size = 1 + (value % 8)
  const before = bytes.subarray(0, at)
  const after = bytes.subarray(at)
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.of((bytes[at] ?? 0) ^ (1 << (value % 8))), bytes.subarray(at + 1)])
    case 'set':
      return Buffer.concat([before, Buffer.of(byte), bytes.subarray(at + 1)])
    case 'insert':
      return Buffer.concat([before, Buffer.of(byte), after])
    case 'delete':
      return Buffer.concat([before, after.subarray(size)])
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, size), after])
    case 'truncate':
      return before
  }
}
