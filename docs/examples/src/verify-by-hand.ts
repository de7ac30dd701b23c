import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a delivery came from the service recently.
 *
 * @param header  the value of `X-Service-Signature`: `t=1794830400,v1=5f3a…,v1=…`
 * @param body  the raw bytes, before anything has parsed them
 */
export function isFromQuipu(secret: string, header: string, body: Buffer): boolean {
  if (secret === '') throw new TypeError('The secret is empty: anyone can sign with that')
  const fields = header.split(',').map((field) => field.split('='))
  const valuesOf = (name: string) => fields.filter(([key]) => key === name).map(([, v = '']) => v)
  const [t = ''] = valuesOf('t')
  const isFresh = /^\d{1,12}$/.test(t) && Math.abs(Date.now() / 1000 - Number(t)) <= 300
  const wanted = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  // One v1 for each valid secret: two during a rotation.
  const fits = valuesOf('v1')
    .map((hex) => Buffer.from(hex, 'hex'))
    .map((given) => given.length === wanted.length && timingSafeEqual(given, wanted))
  return isFresh && fits.includes(true)
}
