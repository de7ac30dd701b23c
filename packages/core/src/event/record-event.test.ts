import { expect, test } from 'vitest'
import { someDeposit as deposit } from '../deposit/deposit.fixture.ts'
import { idSource } from '../ids.ts'
import { recordEvent } from './record-event.ts'
import { encodeForTest } from './encode-event.fixture.ts'

const now = new Date('2026-11-20T15:04:05.000Z')
const ids = idSource(() => new Uint8Array(10))

test.each([
  ['a moment before', '2026-11-20T15:04:04.000Z', '2026-11-20T15:04:05.000Z'],
  ['by a clock that is ahead', '2026-11-20T15:04:06.000Z', '2026-11-20T15:04:06.000Z'],
])('spec §6 — an event that occurred %s is recorded then or later', (_, occurred, recorded) => {
  const occurredAt = new Date(occurred)
  const ports = { ids, now: () => now, encodeEvent: encodeForTest }
  const event = recordEvent(ports, { type: 'deposit.pending', occurredAt, data: deposit }, () => deposit)
  expect(event).toMatchObject({
    occurredAt,
    recordedAt: new Date(recorded),
    subjectId: 'dep_00000000000000000000000001',
  })
})

test('an event that occurs with its commit has one instant, also when the clock has moved on', () => {
  const occurredAt = new Date('2026-11-20T15:04:04.000Z')
  const ports = { ids, now: () => now, encodeEvent: encodeForTest }
  const data = { ...deposit, status: 'credited', creditedAt: occurredAt } as const
  const event = recordEvent(ports, { type: 'deposit.credited', occurredAt, data }, () => data)
  expect([event.occurredAt, event.recordedAt]).toEqual([occurredAt, occurredAt])
})

test('an event has the id, the instants and the data of its commit; a block keeps its own', () => {
  const [occurredAt, at] = [new Date('2026-11-20T15:04:04.000Z'), new Date('2026-11-20T15:04:09.000Z')]
  const ports = {
    ids,
    now: () => now,
    encodeEvent: (event: {
      readonly id: string
      readonly occurredAt: Date
      readonly recordedAt: Date
      readonly data: unknown
    }) =>
      new TextEncoder().encode(
        JSON.stringify(event, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ),
  }
  for (const [type, occurred] of [
    ['deposit.credited', at],
    ['deposit.pending', occurredAt],
  ] as const) {
    const event = recordEvent(ports, { type, occurredAt, data: deposit }, (creditedAt) => ({ ...deposit, creditedAt }))
    const recorded = event.recordedOn(at)
    expect(recorded).toMatchObject({ type, occurredAt: occurred, recordedAt: at, subjectId: deposit.id })
    expect([recorded.id.slice(13), parseInt(recorded.id.replace('-', '').slice(0, 12), 16)]).toEqual([
      event.id.slice(13),
      at.getTime(),
    ])
    expect(JSON.parse(new TextDecoder().decode(recorded.body))).toMatchObject({
      id: recorded.id,
      occurredAt: occurred.toISOString(),
      data: { creditedAt: at.toISOString() },
    })
  }
})
