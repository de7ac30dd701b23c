import { rate, usdt } from '@quipu/core'
import { namedPeriod, type Period, type StatementMovement, type Timezone } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { statementCsv } from './statement-csv.ts'

type Given = {
  readonly opening?: bigint
  readonly closing?: bigint
  readonly status?: 'open' | 'final'
  readonly timezone?: Timezone
  readonly readAt?: Date
}

async function csvOf(chunks: readonly (readonly StatementMovement[])[], given: Given = {}): Promise<string> {
  const { opening = 0n, closing = 0n, status = 'final', timezone = 'UTC', readAt = new Date(9e12) } = given
  const stream = async function* () {
    yield* chunks
  }
  const period = namedPeriod('2026-11-20', timezone) as Period
  const summary = { period, status, readAt, opening: usdt(opening), closing: usdt(closing) }
  let text = ''
  for await (const each of statementCsv({ ...summary, chunks: stream() })) text += each
  return text
}

const credited: StatementMovement = { ...funding.creditedRow, payment: null }
const { target, fee } = example.quote
const merchant = { name: 'Panadería "El Sol", La Paz', bankCode: '1016' }
const paid: StatementMovement = {
  ...funding.paidRow,
  payment: { target, rate: rate(98_007n), fee, merchant, networkPaymentId: 'QN-7' },
}

test('a day has a header, its opening, its transactions with BOB, rate, fee and merchant, and its closing', async () => {
  const text = await csvOf([[credited], [paid]], { closing: 989_796_647n })
  expect(text.split('\r\n')).toEqual([
    'record,created_at,id,direction,type,currency,amount,balance_after,payout_id,deposit_id,transaction_id,target.currency,target.amount,rate,fee.currency,fee.amount,merchant.name,merchant.bank_code,network_payment_id,status',
    'opening,2026-11-20T00:00:00.000Z,,,,USDT,,0.000000,,,,,,,,,,,,final',
    `transaction,2026-11-20T15:03:05.000Z,${credited.id},in,deposit,USDT,1000.000000,1000.000000,,${credited.depositId},,,,,,,,,,`,
    `transaction,2026-11-20T15:04:06.000Z,${paid.id},out,payout,USDT,10.203353,989.796647,${paid.payoutId},,${example.completed.transactionId},BOB,100.00,9.8007,USDT,0.000000,"Panadería ""El Sol"", La Paz",1016,QN-7,`,
    'closing,2026-11-21T00:00:00.000Z,,,,USDT,,989.796647,,,,,,,,,,,,final',
    '',
  ])
})

test('instants are in the zone of the statement', async () => {
  const text = await csvOf([[credited]], { closing: 1_000_000_000n, timezone: 'America/La_Paz' })
  expect(text.match(/20\d\d-\S{2}-\d\dT[^,]*/g)).toEqual([
    '2026-11-20T00:00:00.000-04:00',
    '2026-11-20T11:03:05.000-04:00',
    '2026-11-21T00:00:00.000-04:00',
  ])
})

test('a transaction id, a merchant and an id of the network are no formulas', async () => {
  const formula = {
    ...paid,
    transactionId: '=1+1',
    payment: { target, rate: rate(1n), fee, merchant: { ...merchant, name: '@x' }, networkPaymentId: '+7' },
  }
  const text = await csvOf([[formula]], { opening: 1_000_000_000n, status: 'open' })
  expect(text).toContain(`,"'=1+1",`)
  expect(text).toContain(`,"'@x",1016,"'+7",`)
})

test('an open day closes when it is read, and a final one whose transactions do not add up has no closing', async () => {
  await expect(csvOf([[credited]], { closing: 1n })).rejects.toThrow('do not add up')
  const readAt = new Date('2026-11-20T16:00:00.000Z')
  expect(await csvOf([[credited]], { closing: 1n, status: 'open', readAt })).toMatch(
    /\r\nclosing,2026-11-20T16:00:00\.000Z,,,,USDT,,1000\.000000,+open\r\n$/,
  )
})
