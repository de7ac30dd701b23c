const utf8 = new TextEncoder()
const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/** The default prefix of the two headers of a delivery; the operator can set another. */
export const defaultHeaderPrefix = 'X-Service-'

/** A raw body: its bytes, or their text. */
export type RawBody = string | Uint8Array | ArrayBuffer

const bytesOf = (body: RawBody): Uint8Array => (typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body))

/** The signed bytes: `<t>.<raw body>`. @source spec §6 Signature headers */
function signedBytes(t: string, body: RawBody): Uint8Array<ArrayBuffer> {
  const start = utf8.encode(`${t}.`)
  const bytes = bytesOf(body)
  const signed = new Uint8Array(start.length + bytes.length)
  signed.set(start)
  signed.set(bytes, start.length)
  return signed
}

/**
 * The secrets as a list.
 *
 * @throws TypeError unless each is a text that is not blank: anyone can sign with a missing one, which is what the comma
 * of `whsec_…,` leaves
 */
export function secretsOf(secrets: string | readonly string[]): readonly string[] {
  const found: readonly unknown[] = [secrets].flat()
  if (found.length === 0) throw new TypeError('No webhook secret is given')
  found.forEach((secret, index) => {
    if (typeof secret !== 'string' || secret.trim() === '')
      throw new TypeError(`Webhook secret ${index + 1} of ${found.length} is not a text or is empty`)
  })
  return found as readonly string[]
}

const keyOf = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, [usage])

/**
 * Makes the headers of a delivery, signed as the service signs: for tests of a receiver.
 *
 * @param event  the body, with the event's id
 * @throws TypeError when the secret is no text or blank
 * @source spec §6 Signature headers
 */
export async function signWebhook(
  event: { readonly id: string; readonly body: RawBody },
  secret: string,
  { at = new Date(), headerPrefix = defaultHeaderPrefix }: SignOptions = {},
): Promise<Record<string, string>> {
  const t = String(Math.floor(at.getTime() / 1_000))
  secretsOf(secret)
  const key = await keyOf(secret, 'sign')
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(t, event.body)))
  const v1 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    'Content-Type': 'application/json',
    [`${headerPrefix}Signature`]: `t=${t},v1=${v1}`,
    [`${headerPrefix}Event-Id`]: event.id,
  }
}

/** The instant of the signature, the present by default, and the prefix of its header, `X-Service-` by default. */
export type SignOptions = { readonly at?: Date | undefined; readonly headerPrefix?: string | undefined }

/** A parsed signature header. */
export type Signature = { readonly t: string; readonly digests: readonly Uint8Array<ArrayBuffer>[] }

/** Bounds the work of a forged header: the service sends fewer signatures. */
const signaturesMax = 16

/** @returns undefined when the header is not of the form `t=<unix seconds>,v1=<hex>,v1=<hex>…` */
export function parseSignature(header: string): Signature | undefined {
  const fields = header.split(',').map((field) => field.split('='))
  const [t = '', ...others] = fields.filter(([name]) => name === 't').map(([, value]) => value)
  const given = fields.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  const wellFormed = /^\d{1,12}$/.test(t) && others.length === 0
  if (!wellFormed || given.length === 0 || given.length > signaturesMax) return undefined
  return { t, digests: given.filter((hex) => /^[0-9a-f]{64}$/.test(hex)).map(fromHex) }
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/**
 * Whether any of the secrets made any of the digests.
 *
 * Web Crypto compares in constant time. Every pair is compared, so that the duration does not reveal which one matches.
 */
export async function anyMatches(
  { t, digests }: Signature,
  body: RawBody,
  secrets: readonly string[],
): Promise<boolean> {
  const signed = signedBytes(t, body)
  const keys = await Promise.all(secrets.map(async (secret) => keyOf(secret, 'verify')))
  const matches = await Promise.all(
    keys.flatMap((key) => digests.map(async (digest) => crypto.subtle.verify('HMAC', key, digest, signed))),
  )
  return matches.includes(true)
}
