import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { deliver } from './deliver.ts'
import { defaultEndpointPolicy, type EncryptedSecret } from './endpoint.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import type { AttemptRecord, RecordedAttempt } from './ports.ts'
import type { AttemptResult } from './sender.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const delivered: AttemptResult = { statusCode: 200, latencyMs: 40, error: null, excerpt: '' }
const failed: AttemptResult = { statusCode: 500, latencyMs: 40, error: 'STATUS', excerpt: '' }
const current: EncryptedSecret = { ciphertext: 'one', createdAt: at, expiresAt: null }

type Script = {
  readonly result: AttemptResult
  /** The byte that is drawn for the jitter. Left out: none may be drawn. */
  readonly lot?: number
  readonly secrets?: readonly EncryptedSecret[]
  readonly recorded?: RecordedAttempt
}

/** Delivers once, and tells what was sent, recorded and said. */
async function attempt({
  result,
  lot,
  secrets = [current],
  recorded = { type: 'recorded', consecutiveFailures: 0, hasPaused: false },
}: Script) {
  const records: AttemptRecord[] = []
  const alerts: Alert[] = []
  let sent = 0
  const act = deliver(
    {
      secretBox: { decrypt: (sealed) => `whsec_${sealed}` },
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
        if (lot === undefined) throw new Error('nothing is to be drawn')
        return Uint8Array.of(lot)
      },
      raiseAlert: (alert) => void alerts.push(alert),
    },
    {
      retryPolicy: defaultRetryPolicy,
      pauseAfter: defaultEndpointPolicy.pauseAfter,
      headerPrefix: 'X-',
    },
  )
  await act({
    claim: { endpointId: 'we_1', eventId: '00000000-0000-7000-8000-000000000000', fencingToken: 1 },
    tenantId: 'ten_1',
    url: 'https://shop.example/hooks',
    secrets,
    body: new TextEncoder().encode('{}'),
    attempt: 1,
    isResend: false,
    lostLeases: 0,
  })
  const [record] = records
  return { sent, record, told: alerts.map(({ code }) => code) }
}

test.each([
  [0, 30_000],
  [128, 31_500],
  [255, 32_988],
])('of 256 lots, %i puts the first retry at %i ms', async (lot, inMs) => {
  const { record } = await attempt({ result: failed, lot })
  expect(record?.decision).toEqual({ type: 'retry', inMs })
})

test('what has arrived draws no lot', async () => {
  const { record } = await attempt({ result: delivered })
  expect(record?.decision).toEqual({ type: 'delivered' })
})

test.each([
  ['an answer in 3 s', { ...delivered, latencyMs: 3_000 }, false],
  ['one that took longer', { ...delivered, latencyMs: 3_001 }, true],
  ['a failure, however quick', failed, true],
])('%s: slow is %s', async (_, result, isSlow) => {
  expect((await attempt({ result, lot: 0 })).record?.isSlow).toBe(isSlow)
})

test('without a secret that is valid nothing is sent, and it counts as a failure', async () => {
  const old = { ...current, expiresAt: at }
  const graced = { ...current, expiresAt: new Date(at.getTime() + 1) }
  for (const secrets of [[], [old], [graced], [current, current]]) {
    const { sent, record } = await attempt({ result: delivered, lot: 0, secrets })
    expect(sent).toBe(0)
    expect(record?.attempt.error).toBe('SECRET_UNREADABLE')
  }
})

test('a pause is told, and nothing else is', async () => {
  const paused = { type: 'recorded', consecutiveFailures: 5, hasPaused: true } as const
  expect(await attempt({ result: failed, lot: 0, recorded: paused })).toMatchObject({
    told: ['WEBHOOK_PAUSED'],
  })
  expect(await attempt({ result: failed, lot: 0 })).toMatchObject({ told: [] })
})
