import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import type { WalletTotals } from '../ledger/ledger.ts'
import { reconcile } from './reconcile-wallet.ts'
import { someWallet } from '../ledger/wallet.fixture.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const block = { number: 7, id: 'b7', at: new Date('2026-11-21T11:59:00.000Z') }

/** 10.00 credited, 3.00 paid out, 3.00 added, 4.00 held: 6.00 are available. */
const totals: WalletTotals = {
  credited: usdt(10_000_000n),
  debited: usdt(3_000_000n),
  adjusted: usdt(3_000_000n),
  held: usdt(4_000_000n),
}

function reconciling(wallet = someWallet) {
  const reads: string[] = []
  const run = reconcile(
    {
      now: () => now,
      scans: {
        at: async (chain, head) => {
          reads.push(`${chain} ${head}`)
          return block
        },
      },
      wallets: {
        books: async (id) => {
          reads.push('books')
          return id === wallet.tenantId ? { wallet, totals } : undefined
        },
      },
    },
    'tron',
  )
  return { run, reads }
}

test('the available balance is what was credited, less what was paid out and is held', async () => {
  const { run, reads } = reconciling()
  expect(await run('ten_1')).toEqual({
    ...totals,
    asOf: now,
    available: usdt(6_000_000n),
    balanced: true,
    drift: usdt(0n),
    scannedThrough: block,
  })
  // The books are not older than the block.
  expect(reads).toEqual(['tron solid', 'books'])
})

test('a stored balance that differs by a micro-USDT is not balanced', async () => {
  const { run } = reconciling({ ...someWallet, available: usdt(5_999_999n) })
  expect(await run('ten_1')).toMatchObject({ available: usdt(6_000_000n), balanced: false, drift: usdt(1n) })
})

test('an unknown tenant has no books', async () => {
  expect(await reconciling().run('ten_2')).toBeUndefined()
})
