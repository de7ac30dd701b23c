import { expect, test } from 'vitest'
import {
  account,
  anOrder,
  clientSecret,
  code,
  debitOf,
  listed,
  paidAs,
  readAs,
  startGateway,
} from './gateway.fixture.ts'
import { simulatedHub } from './hub.fixture.ts'
import type { Unfamiliar } from './unfamiliar.ts'

const never = new AbortController().signal
const shown = ({ operation, kind, name }: Unfamiliar): string => `${operation} ${kind} ${name}`

test('each new code, state and member is reported once, without secrets and account numbers', async () => {
  const reported: string[] = []
  const gateway = await startGateway({ onUnfamiliar: (unfamiliar) => reported.push(shown(unfamiliar)) })
  const { network, answers } = gateway
  const debit = { ...debitOf('a'), [`a-${clientSecret}`]: 1 }
  answers.scan = () => readAs({ canal: `cuenta ${account}`, [`c${account}`]: 1 })
  answers.status = () => paidAs({ transaccionId: 'x', estado: 'observada' })
  answers.confirm = () => code('77')
  answers.debitos = () => listed(debit, { ...debit, numOrdenAch: '2', estado: 'ANULADO' })
  for (let n = 0; n < 3; n++) {
    await network.readQr('kJ3v==|5a0d00c1', never)
    await network.pay(anOrder())
    await network.status('po_x', '547261120000004711')
    for await (const _ of network.statement(new Date('2026-11-20T10:00:00Z'), new Date('2026-11-20T11:00:00Z')));
  }
  expect(reported.toSorted()).toEqual([
    'confirm code 77',
    'debitos member …',
    'debitos state ANULADO',
    'scan member canal',
    'scan member …',
    'status state OBSERVADA',
  ])
  expect(reported.join()).not.toMatch(/client’s|7010999/)
})

test('at most 200 are reported', async () => {
  const reported: Unfamiliar[] = []
  const { network, answers } = await startGateway({ onUnfamiliar: (unfamiliar) => reported.push(unfamiliar) })
  answers.scan = () => readAs(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, n])))
  await network.readQr('kJ3v==|5a0d00c1', never)
  expect(reported).toHaveLength(200)
})

test('nothing of the documented answers is reported', async () => {
  const reported: string[] = []
  const options = { onUnfamiliar: (unfamiliar: Unfamiliar) => void reported.push(shown(unfamiliar)) }
  const world = await simulatedHub({ commission: '0.50', commission_as: 'row' }, undefined, options)
  for (const course of ['paid', 'rejected', 'pending_paid', 'paid_returned'] as const) {
    const order = await world.order({ course })
    const { networkRef = order.networkRef } = (await world.network.pay(order)) as { networkRef?: string }
    await world.network.status(order.reference, networkRef)
    await world.advance(60_000)
    await world.network.status(order.reference, networkRef)
  }
  await world.network.status('po_x', '547261120000009999')
  await world.network.liquidity()
  await world.rows(new Date('2026-11-21T00:00:00Z'), world.now())
  expect(reported).toEqual([])
})
