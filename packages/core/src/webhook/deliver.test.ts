import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { deliver, sendSigned } from './deliver.ts'
import { defaultEndpointPolicy, type EncryptedSecret } from './endpoint.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import type { AttemptRecord, ClaimedDelivery, RecordedAttempt } from './ports.ts'
import type { AttemptResult } from './sender.ts'
import { signWebhook } from './signature.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const named = { endpointId: 'we_1', eventId: '00000000-0000-7000-8000-000000000000' }
const delivered: AttemptResult = { statusCode: 200, latencyMs: 40, error: null, excerpt: '' }
const failed: AttemptResult = { statusCode: 500, latencyMs: 40, error: 'STATUS', excerpt: '' }
const current: EncryptedSecret = { ciphertext: 'one', lastFour: '1111', createdAt: at, expiresAt: null }

type Script = {
  readonly result: AttemptResult
  /** The random byte of the jitter. By default, drawing one is an error. */
  readonly jitterByte?: number
  readonly secrets?: readonly EncryptedSecret[]
  readonly recorded?: RecordedAttempt
  readonly claimed?: Partial<ClaimedDelivery>
}

/** Attempts one delivery. */
async function attempt({
  result,
  jitterByte,
  secrets = [current],
  recorded = { type: 'recorded', consecutiveFailures: 0, hasPaused: false },
  claimed = {},
}: Script) {
  const records: AttemptRecord[] = []
  const alerts: Alert[] = []
  let sent = 0
  const act = deliver(
    {
      secretBox: { decrypt: (ciphertext) => `whsec_${ciphertext}` },
      sender: {
        send: async () => {
          sent++
          return result
        },
      },
      now: () => at,
      deliveries: {
        record: async (record) => {
          records.push(record)
          return recorded
        },
      },
      random: () => {
        if (jitterByte === undefined) throw new Error('no random byte is expected')
        return Uint8Array.of(jitterByte)
      },
      raiseAlert: (alert) => void alerts.push(alert),
    },
    { retryPolicy: defaultRetryPolicy, pauseAfter: defaultEndpointPolicy.pauseAfter, headerPrefix: 'X-' },
  )
  const answer = await act({
    claim: { ...named, fencingToken: 1 },
    tenantId: 'ten_1',
    url: 'https://shop.example/hooks/t0ken?key=s3cret',
    secrets,
    body: new TextEncoder().encode('{}'),
    attempt: 1,
    isResend: false,
    lostLeases: 0,
    ...claimed,
  })
  const [record] = records
  // A URL may carry a token of its receiver.
  expect(JSON.stringify(alerts)).not.toMatch(/t0ken|s3cret/)
  return { sent, record, answer, alerts, raised: alerts.map(({ code }) => code) }
}

test.each([
  [0, 30_000],
  [128, 31_500],
  [255, 32_988],
])('the jitter byte %i schedules the first retry after %i ms', async (jitterByte, inMs) => {
  const { record } = await attempt({ result: failed, jitterByte })
  expect(record?.decision).toEqual({ type: 'retry', inMs })
})

test('a success draws no random byte', async () => {
  const { record } = await attempt({ result: delivered })
  expect(record?.decision).toEqual({ type: 'delivered' })
})

test.each([
  ['an answer in 3 s', { ...delivered, latencyMs: 3_000 }, false],
  ['a longer answer', { ...delivered, latencyMs: 3_001 }, true],
  ['an error, also a fast one', failed, true],
])('%s: slow is %s', async (_, result, isSlow) => {
  expect((await attempt({ result, jitterByte: 0 })).record?.isSlow).toBe(isSlow)
})

test('without a valid secret nothing is sent, and the attempt fails', async () => {
  const old = { ...current, expiresAt: at }
  const graced = { ...current, expiresAt: new Date(at.getTime() + 1) }
  for (const secrets of [[], [old], [graced], [current, current]]) {
    const { sent, record } = await attempt({ result: delivered, jitterByte: 0, secrets })
    expect(sent).toBe(0)
    expect(record?.attempt.error).toBe('SECRET_UNREADABLE')
  }
})

test('an alert names the endpoint, its host and the last error', async () => {
  const recorded = { type: 'recorded', consecutiveFailures: 5, hasPaused: true } as const
  const { alerts } = await attempt({ result: failed, jitterByte: 0, recorded: { ...recorded, isFailingLong: true } })
  expect(alerts).toMatchObject([
    { tenantId: 'ten_1', subject: 'we_1', detail: expect.stringMatching(/shop\.example.*STATUS/) },
    { tenantId: 'ten_1', subject: 'we_1', detail: expect.stringMatching(/shop\.example.*STATUS/) },
  ])
})

test('an attempt whose claim is no longer the newest raises no alert', async () => {
  const { answer, raised } = await attempt({ result: failed, jitterByte: 0, recorded: { type: 'stale' } })
  expect(answer).toEqual({ type: 'stale', error: 'STATUS' })
  expect(raised).toEqual([])
})

test('a resend that fails is not retried', async () => {
  const { record } = await attempt({ result: failed, jitterByte: 0, claimed: { isResend: true, attempt: 1 } })
  expect(record?.decision).toEqual({ type: 'exhausted' })
})

test('a delivery that lost ten leases is recorded without an answer', async () => {
  const claimed = { lostLeases: 10 }
  const { sent, record } = await attempt({ result: delivered, jitterByte: 0, claimed })
  expect(sent).toBe(0)
  expect(record?.attempt).toEqual({ statusCode: null, latencyMs: 0, error: 'ABANDONED', excerpt: null, at })
  expect((await attempt({ result: delivered, claimed: { lostLeases: 9 } })).sent).toBe(1)
})

/** Sends `{}` with these secrets, and counts decryptions. */
function signing(ports: { readonly signedAt?: () => Date } = {}) {
  const decrypted: string[] = []
  const signatures: (string | undefined)[] = []
  const send = sendSigned(
    {
      ...ports,
      secretBox: {
        decrypt: (ciphertext, context) => {
          decrypted.push(`${ciphertext} ${context}`)
          return ciphertext === 'lost' ? undefined : `whsec_${context}`
        },
      },
      sender: {
        send: async ({ headers }) => {
          signatures.push(headers['X-Signature'])
          return delivered
        },
      },
      now: () => at,
    },
    'X-',
  )
  return { send, decrypted, signatures }
}

const body = new TextEncoder().encode('{}')
const url = 'https://shop.example'
const claimOf = (endpointId: string) => ({ ...named, endpointId, fencingToken: 1 })

test('decrypts secrets that deliveries share once, and again for another endpoint', async () => {
  const { send, decrypted, signatures } = signing()
  const secrets = [current]
  for (const id of ['we_1', 'we_1', 'we_2']) await send({ claim: claimOf(id), url, secrets, body })
  expect(decrypted).toEqual(['one we_1 newest', 'one we_2 newest'])
  const [first, , other] = signatures
  expect(first).toBe(signWebhook(['whsec_we_1 newest'], body, at))
  expect(other).toBe(signWebhook(['whsec_we_2 newest'], body, at))
})

test('nothing is sent when one of two secrets does not decrypt', async () => {
  const { send, signatures } = signing()
  const graced = { ...current, ciphertext: 'lost', expiresAt: new Date(at.getTime() + 1) }
  const secrets = [current, graced]
  expect(await send({ claim: claimOf('we_1'), url, secrets, body })).toMatchObject({ error: 'SECRET_UNREADABLE' })
  expect(signatures).toEqual([])
})

test('signs with the clock of signatures, if there is one', async () => {
  const signedAt = new Date(at.getTime() + 60_000)
  const { send, signatures } = signing({ signedAt: () => signedAt })
  await send({ claim: claimOf('we_1'), url, secrets: [current], body })
  expect(signatures).toEqual([signWebhook(['whsec_we_1 newest'], body, signedAt)])
})
