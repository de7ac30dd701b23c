import { equalDigests, hmacSha256 } from '../digest.ts'

/** A key with the id by which stored values name it. */
export type NamedKey = {
  /** 1 to 16 of `a-z`, `0-9` and `-`. */
  readonly id: string
  readonly key: Uint8Array
}

/**
 * The keys of one purpose. The first one is the current key: it makes every new value. The others read older
 * values, until those are renewed. A stored value begins with the id of its key and a dot.
 */
export type KeyRing = readonly [NamedKey, ...NamedKey[]]

/** The id of the key that made a stored value. */
export const keyIdOf = (stored: string): string => stored.slice(0, Math.max(0, stored.indexOf('.')))

/** The key that made a stored value; undefined when the ring lacks it. */
export const keyOf = (ring: KeyRing, stored: string): NamedKey | undefined =>
  ring.find(({ id }) => id === keyIdOf(stored))

/**
 * The MAC of a text by the current key. It begins with the id of that key and a dot. The text begins with what it is
 * about, so that no MAC serves two purposes.
 */
export const macOf = ([current]: KeyRing, text: string): string => macBy(current, text)

const macBy = ({ id, key }: NamedKey, text: string): string => `${id}.${hmacSha256(key, text)}`

/** Whether a key of the ring made the MAC of this text, compared in constant time. */
export function isMacOf(ring: KeyRing, text: string, mac: string): boolean {
  const key = keyOf(ring, mac)
  return key !== undefined && equalDigests(macBy(key, text), mac)
}

/** How many stored values each key has made. */
export type KeyUse = { readonly keyId: string; readonly count: number }
