import { sha256 } from './digest.ts'
import { Unavailable } from './unavailable.ts'

/** Returns `size` random bytes from a cryptographic source. */
export type RandomBytes = (size: number) => Uint8Array

/** The prefix of an id: the kind of record that it names. */
export type IdPrefix =
  | 'po'
  | 'qrr'
  | 'dep'
  | 'we'
  | 'wal'
  | 'wtx'
  | 'dlv'
  | 'ten'
  | 'key'
  | 'prp'
  | 'nwc'
  | 'rcn'
  | 'dif'
  | 'swb'
  | 'swp'
  | 'opt'
  | 'prc'
  | 'scr'
  | 'nte'
  | 'alt'
  | 'trm'

/** Makes ids that sort by the given instant. */
export type Ids = {
  /** The letter of the cell that makes them; left out in an installation without cells. */
  readonly cell?: string
  /** `po_` + a 26-character ULID. */
  next(prefix: IdPrefix, at: Date): string
  /** A version 7 UUID. */
  uuid(at: Date): string
}

/**
 * Makes ids from random bytes.
 *
 * @example
 * ```ts
 * const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))
 * console.log(ids.next('po', ports.now()).length) // 29
 * ```
 */
export function idSource(random: RandomBytes): Ids {
  return { next: (prefix, at) => `${prefix}_${ulid(at, random(10))}`, uuid: (at) => uuidv7(at, random(10)) }
}

/** The place of the cell's letter in an id: after prefix and time. */
const cellAt = (prefix: string): number => prefix.length + 1 + 10

/**
 * Ids that carry the letter of a cell as the first of their ULID's sixteen random characters. 75 random bits remain.
 *
 * @param cell  one of `cellLetters`; undefined for ids without a letter
 */
export const cellIds = (cell: string | undefined, ids: Ids): Ids =>
  cell === undefined
    ? ids
    : {
        ...ids,
        cell,
        next: (prefix, at) => {
          const id = ids.next(prefix, at)
          const place = cellAt(prefix)
          return `${id.slice(0, place)}${cell.toUpperCase()}${id.slice(place + 1)}`
        },
      }

/** The letters of cells: no hexadecimal digit, which a key without a letter begins with, and no ambiguous one. */
export const cellLetters = 'ghjkmnpqrstvwxyz'

/** Whether a payout's id carries another letter than this cell's. Never in an installation without cells. */
export const isOfOtherCell = (payoutId: string, cell: string | undefined): boolean =>
  cell !== undefined &&
  /^po_[0-9A-HJKMNP-TV-Z]{26}$/.test(payoutId) &&
  payoutId.charAt(cellAt('po')) !== cell.toUpperCase()

/** How many characters at the end of a payout's id are those of its installation. */
const installationLength = 4

/**
 * Ids whose payouts end with the characters of this installation, so that a line of the network's statement shows
 * whose payment it is. 60 random bits remain for each millisecond.
 *
 * @param installation  four characters of Crockford's base 32; undefined while they are not known
 * @throws Unavailable for a payout while they are not known
 */
export const installationIds = (installation: () => string | undefined, ids: Ids): Ids => ({
  ...ids,
  next: (prefix, at) => {
    const id = ids.next(prefix, at)
    if (prefix !== 'po') return id
    const tag = installation()
    if (tag === undefined) throw new Unavailable('store', 'the store has not been read since the start of this process')
    return `${id.slice(0, -installationLength)}${tag}`
  },
})

/** Whether the id is that of a payout of this installation. */
export const isOfInstallation = (id: string, installation: string): boolean =>
  /^po_[0-9A-HJKMNP-TV-Z]{26}$/.test(id) && id.endsWith(installation)

/**
 * The id of a wallet transaction: `wtx_` and a ULID whose 80 random bits are replaced by the transaction's
 * number in the wallet and a digest of the tenant, 40 bits each. The id is therefore derived and not
 * stored, sorts as the wallet's transactions do, and differs between tenants.
 *
 * @param seq  1 to 2⁴⁰ − 1
 */
export const walletTransactionId = (tenantId: string, at: Date, seq: bigint): string =>
  `wtx_${timePart(at)}${base32(seq).padStart(8, '0')}${tenantPart(tenantId)}`

/** The first 40 bits of the digest. */
const tenantPart = (tenantId: string): string => base32(BigInt(`0x${sha256(tenantId).slice(0, 10)}`)).padStart(8, '0')

/** The transaction's number in such an id; undefined when the id is not valid. */
export function walletTransactionSeq(id: string): bigint | undefined {
  const [, digits] = /^wtx_[0-9A-HJKMNP-TV-Z]{10}([0-9A-HJKMNP-TV-Z]{8})[0-9A-HJKMNP-TV-Z]{8}$/.exec(id) ?? []
  if (digits === undefined) return undefined
  const seq = Array.from(digits).reduce((sum, d) => sum * 32n + BigInt(crockford.indexOf(d)), 0n)
  return seq > 0n ? seq : undefined
}

const base32 = (value: bigint): string =>
  value < 32n ? crockford.charAt(Number(value)) : base32(value / 32n) + crockford.charAt(Number(value % 32n))

/** The lower bound of the ids made at `at`: all ids made earlier sort before it. */
export const lowestId = (prefix: IdPrefix, at: Date): string => `${prefix}_${timePart(at)}${'0'.repeat(16)}`

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** When an id with a ULID was made; undefined for another text. */
export function idInstant(id: string): Date | undefined {
  const [, digits] = /^[a-z]{2,3}_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? []
  if (digits === undefined) return undefined
  return new Date(Array.from(digits).reduce((ms, digit) => ms * 32 + crockford.indexOf(digit), 0))
}

/** 48 bits of milliseconds as ten digits. */
function timePart(at: Date): string {
  let text = ''
  let ms = at.getTime()
  for (let i = 0; i < 10; i++) {
    text = crockford.charAt(ms % 32) + text
    ms = Math.floor(ms / 32)
  }
  return text
}

/** 48 bits of milliseconds and 80 random bits, in Crockford's base 32. */
function ulid(at: Date, random: Uint8Array): string {
  let text = timePart(at)
  let bits = 0
  let buffer = 0
  for (const byte of random) {
    buffer = ((buffer << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += crockford.charAt((buffer >> bits) & 31)
    }
  }
  return text
}

/** The UUID with another instant and the same random bits. */
export const uuidAt = (id: string, at: Date): string => `${uuidTime(at)}${id.slice(13)}`

const uuidTime = (at: Date): string => {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** RFC 9562: 48 bits of milliseconds, then version, variant and 74 random bits. */
function uuidv7(at: Date, random: Uint8Array): string {
  const byte = (i: number): number => random[i] ?? 0
  const version = hex(0x70 | (byte(0) & 0x0f)) + hex(byte(1))
  const variant = hex(0x80 | (byte(2) & 0x3f)) + hex(byte(3))
  let tail = ''
  for (let i = 4; i < 10; i++) tail += hex(byte(i))
  return `${uuidTime(at)}-${version}-${variant}-${tail}`
}

/** A byte as two digits. */
const hex = (byte: number): string => hexBytes[byte] ?? ''

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
