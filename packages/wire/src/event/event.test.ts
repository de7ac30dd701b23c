import { type Deposit, type DepositStatus, MAX_MINOR, usdt } from '@quipu/core'
import {
  type DepositEvent,
  isFinalAnswer,
  type PayoutEvent,
  type SettledPayout,
  reviewCodes,
  settlePayout,
  walletEventTypes,
} from '@quipu/core/adapter'
import {
  anyFinalAnswer,
  anyId,
  anyInstant,
  anyProcessingPayout,
  anyText,
  anyUsdt,
  anyUuid,
  encodeForTest,
} from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { depositEvent, payoutEvent, walletEvent, webhookTestEvent } from './event.ts'
import { encodeEvent } from './encode-event.ts'
import { payoutToJson } from '../payout/payout-to-json.ts'

const anyAddress = fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)

/** More than the ledger carries, too: a hostile token moves what it likes. */
const anyValue = fc.oneof(anyUsdt, fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(usdt))

const anySeen = fc.record({
  id: anyId('dep'),
  tenantId: anyId('ten'),
  chain: fc.constant('tron' as const),
  txHash: fc.stringMatching(/^[0-9a-f]{64}$/),
  transferIndex: fc.nat(1_000),
  address: anyAddress,
  fromAddress: anyAddress,
  amount: anyValue,
  createdAt: anyInstant,
})

const anyClosing = fc.record({ at: anyInstant, actor: anyText, reason: anyText })

const anyEnd: { readonly [Status in DepositStatus]: fc.Arbitrary<object> } = {
  pending: fc.constant({}),
  credited: fc.record({ creditedAt: anyInstant }),
  in_review: fc.record({ reviewCode: fc.constantFrom(...reviewCodes), closed: fc.option(anyClosing) }),
}

const anyDepositIn = <Status extends DepositStatus>(
  status: Status,
): fc.Arbitrary<Extract<Deposit, { status: Status }>> =>
  fc
    .tuple(anySeen, anyEnd[status])
    .map(([seen, end]) => ({ ...seen, ...end, status }) as Extract<Deposit, { status: Status }>)

const anyEvent: fc.Arbitrary<PayoutEvent & { data: SettledPayout }> = fc
  .record({ payout: anyProcessingPayout, id: anyUuid, at: anyInstant, ms: fc.nat(1000) })
  .map(({ payout, id, at, ms }) => {
    const answer = { type: 'paid', amount: payout.target, paymentId: null } as const
    if (!isFinalAnswer(payout, answer)) throw new Error('a paid payout has ended')
    return {
      id,
      tenantId: payout.tenantId,
      type: 'payout.completed',
      occurredAt: at,
      recordedAt: new Date(at.getTime() + ms),
      data: settlePayout(payout, answer, 'in_time', at).payout,
    }
  })

const anyDepositEvent: fc.Arbitrary<DepositEvent> = fc
  .constantFrom<DepositStatus>('pending', 'credited', 'in_review')
  .chain((status) => fc.record({ data: anyDepositIn(status), id: anyUuid, at: anyInstant, ms: fc.nat(1000) }))
  .map(({ data, id, at, ms }) => ({
    id,
    tenantId: data.tenantId,
    type:
      data.status === 'in_review' && data.closed !== null && ms % 2 === 0 ? 'deposit.closed' : `deposit.${data.status}`,
    occurredAt: at,
    recordedAt: new Date(at.getTime() + ms),
    data,
  }))

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

test('spec §6: the envelope has exactly these members, in this order, around the payout', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(decode(encodeEvent(event))).toBe(
        JSON.stringify({
          id: event.id,
          type: 'payout.completed',
          event_version: 1,
          occurred_at: event.occurredAt.toISOString(),
          recorded_at: event.recordedAt.toISOString(),
          data: payoutToJson(event.data),
        }),
      )
    }),
  )
})

test('spec §6: a deposit has the same envelope, and is as GET /deposits/{id} answers it', () => {
  fc.assert(
    fc.property(anyDepositEvent, (event) => {
      const text = decode(encodeEvent(event))
      expect(text).toBe(
        JSON.stringify({
          id: event.id,
          type: event.type,
          event_version: 1,
          occurred_at: event.occurredAt.toISOString(),
          recorded_at: event.recordedAt.toISOString(),
          data: depositToJson(event.data),
        }),
      )
      const envelope: unknown = JSON.parse(text)
      expect(depositEvent.parse(envelope)).toEqual(envelope)
    }),
  )
})

test('spec §6: data of webhook.test is {webhook_id}', () => {
  const at = new Date('2026-11-20T15:04:05.000Z')
  const id = '019aa1f4-54f0-7000-8000-00000000000b'
  const data = { webhookId: 'we_01K6HZ8M00000000000000000A' }
  const type = 'webhook.test'
  const envelope = { id, tenantId: 'ten_1', type, occurredAt: at, recordedAt: at, data } as const
  const text = decode(encodeEvent(envelope))
  expect(text).toBe(
    JSON.stringify({
      id,
      type,
      event_version: 1,
      occurred_at: '2026-11-20T15:04:05.000Z',
      recorded_at: '2026-11-20T15:04:05.000Z',
      data: { webhook_id: data.webhookId },
    }),
  )
  expect(webhookTestEvent.parse(JSON.parse(text))).toEqual(JSON.parse(text))
})

test('spec §9: event_version is 1, and the envelope satisfies its schema', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const envelope: unknown = JSON.parse(decode(encodeEvent(event)))
      expect(payoutEvent.parse(envelope)).toEqual(envelope)
      expect(envelope).toMatchObject({ event_version: 1, data: { id: event.data.id } })
    }),
  )
})

test('the bytes of a payout’s event are those that a store makes of its rows', () => {
  const given = anyProcessingPayout.chain((payout) =>
    fc.record({
      payout: fc.constant(payout),
      answer: anyFinalAnswer(payout.target),
      timing: fc.constantFrom('in_time', 'afterwards'),
      id: anyUuid,
      at: anyInstant,
    }),
  )
  fc.assert(
    fc.property(given, ({ payout, answer, timing, id, at }) => {
      if (!isFinalAnswer(payout, answer)) return
      const { payout: data, event: type } = settlePayout(payout, answer, timing, at)
      if (type === null) return
      const about = { id, tenantId: payout.tenantId, type, data }
      const event = { ...about, occurredAt: at, recordedAt: at }
      const [encoded, made] = [encodeEvent(event), encodeForTest(event)]
      expect(decode(encoded)).toBe(decode(made))
    }),
  )
})

test('the bytes of a deposit’s event are those that a store makes of its row', () => {
  fc.assert(
    fc.property(anyDepositEvent, (event) => {
      expect(decode(encodeEvent(event))).toBe(decode(encodeForTest(event)))
    }),
  )
})

test('the bytes of a wallet’s event are those that a store makes of its row, and satisfy their schema', () => {
  const amount = fc.bigInt(0n, MAX_MINOR / 2n).map(usdt)
  const data = fc.record({
    id: fc.constant('wal_01KAGZ8M88000000000000000D'),
    tenantId: fc.constant('ten_1'),
    available: amount,
    held: amount,
    lowBalanceThreshold: fc.option(amount),
  })
  fc.assert(
    fc.property(data, fc.constantFrom(...walletEventTypes), anyUuid, anyInstant, (data, type, id, at) => {
      const event = { id, tenantId: 'ten_1', type, occurredAt: at, recordedAt: at, data }
      const text = decode(encodeEvent(event))
      expect(text).toBe(decode(encodeForTest(event)))
      expect(walletEvent.parse(JSON.parse(text))).toEqual(JSON.parse(text))
    }),
  )
})
