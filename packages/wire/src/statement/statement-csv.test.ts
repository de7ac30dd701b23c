import { usdt, type WalletTransaction } from '@quipu/core'
import { type StatementDay, statementDay } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { statementCsv } from './statement-csv.ts'

const day = statementDay('2026-11-20') as StatementDay

type Summary = { readonly opening?: bigint; readonly closing?: bigint; readonly status?: 'open' | 'closed' }

async function csvOf(
  chunks: readonly (readonly WalletTransaction[])[],
  { opening = 0n, closing = 0n, status = 'closed' }: Summary = {},
): Promise<string> {
  const stream = async function* () {
    yield* chunks
  }
  const balances = { opening: usdt(opening), closing: usdt(closing) }
  let text = ''
  const summary = { date: day.date, status, ...balances }
  for await (const each of statementCsv(day, { ...summary, chunks: stream() })) text += each
  return text
}

const { creditedRow, paidRow } = funding
const withId = (transactionId: string) => ({ ...paidRow, transactionId })

test('a day has a header, its opening, its transactions in order and its closing', async () => {
  const text = await csvOf([[creditedRow], [paidRow]], { closing: 989_796_647n })
  expect(text.split('\r\n')).toEqual([
    'record,created_at,id,direction,type,currency,amount,balance_after,payout_id,deposit_id,transaction_id',
    'opening,2026-11-20T00:00:00.000Z,,,,USDT,,0.000000,,,',
    `transaction,2026-11-20T15:03:05.000Z,${creditedRow.id},in,deposit,USDT,1000.000000,1000.000000,,${creditedRow.depositId},`,
    `transaction,2026-11-20T15:04:06.000Z,${paidRow.id},out,payout,USDT,10.203353,989.796647,${paidRow.payoutId},,${example.completed.transactionId}`,
    'closing,2026-11-21T00:00:00.000Z,,,,USDT,,989.796647,,,',
    '',
  ])
})

test('a transaction id is no formula', async () => {
  const text = await csvOf([[withId('=1+1')]], { opening: 1_000_000_000n, status: 'open' })
  expect(text).toContain(`${paidRow.payoutId},,"'=1+1"\r\n`)
})

test('a closed day whose transactions do not add up has no closing', async () => {
  await expect(csvOf([[creditedRow]], { closing: 1n })).rejects.toThrow('do not add up')
  expect(await csvOf([[creditedRow]], { closing: 1n, status: 'open' })).toContain(
    'closing,2026-11-21T00:00:00.000Z,,,,USDT,,1000.000000',
  )
})
