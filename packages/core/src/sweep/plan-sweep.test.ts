import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import type { ChainView, TransferOrder } from '../chain/chain.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import type { PageQuery } from '../page.ts'
import { Unavailable } from '../unavailable.ts'
import { planSweep, sweepExpirySeconds } from './plan-sweep.ts'
import type { SweepAddress } from './ports.ts'
import { addressWith, after, start, treasury } from './sweep.fixture.ts'
import type { SweepPlan, SweepQuote } from './sweep.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const oneUsdt = usdt(1_000_000n)
const cost: SweepQuote = { energy: 64285n, feeLimit: 30n, trxNeeded: 20n, trxMissing: 0n, energyFee: 30n }
const block = (view: ChainView) =>
  view === 'solid' ? { number: 982, id: 'solid', at: after(-54) } : { number: 1_000, id: 'head', at: after(-2) }

/** A plan over these pages of addresses, each with its whole balance in solid blocks unless it is listed. */
function harness(pages: readonly (readonly SweepAddress[])[]) {
  const balances = new Map<string, bigint | undefined>()
  const quotes = new Map<string, SweepQuote | undefined>()
  const state = { underWay: 0, mostUnderWay: 0, topUps: [] as string[], taken: [] as string[], unread: [] as string[] }
  const alerts: Alert[] = []
  const queries: PageQuery[] = []
  const readAccounts: (readonly string[])[] = []
  const orders: TransferOrder[] = []
  const inserted: SweepPlan[] = []
  const plan = planSweep(
    {
      sweeps: {
        addresses: async (_, query) => {
          const page = queries.push(query) - 1
          const isLast = page === pages.length - 1
          return { items: pages[page] ?? [], next: isLast ? null : { createdAt: start, id: `page ${page}` } }
        },
        insert: async (made) => {
          inserted.push(made)
          return made.transfers.filter(({ address }) => !state.taken.includes(address))
        },
      },
      addresses: { match: async (_, accounts) => accounts.filter((each) => state.topUps.includes(each)).map(topUpOf) },
      chain: {
        tokenBalances: async (accounts) => {
          readAccounts.push(accounts)
          const known = accounts.map((each) => {
            const balance = balances.has(each) ? balances.get(each) : 5000000n
            return [each, balance] as const
          })
          const found = known.flatMap(([each, balance]) => (balance === undefined ? [] : [[each, balance] as const]))
          const unread = known.flatMap(([each, balance]) => (balance === undefined ? [each] : []))
          return { from: 981, through: 982, balances: new Map(found), unread }
        },
        cost: async (account) => {
          state.mostUnderWay = Math.max(state.mostUnderWay, ++state.underWay)
          await Promise.resolve()
          state.underWay--
          if (state.unread.includes(account)) throw new Unavailable('chain', 'CPU timeout')
          return quotes.has(account) ? quotes.get(account) : cost
        },
        build: async (account, order) => {
          orders.push(order)
          return { txHash: `hash of ${account}`, rawHex: 'bb', transaction: '{}', expiresAt: order.expiresAt }
        },
      },
      reader: { chain: 'tron', head: async (view) => block(view), isBlocked: async () => false },
      addressSource: { derive: (index) => ({ account: `account ${index}`, address: `T-${index}` }) },
      ids: countingIds(),
      now: () => start,
      raiseAlert: (alert) => void alerts.push(alert),
    },
    { treasury, expiresAfterSeconds: 3_600 },
  )
  return {
    balances,
    quotes,
    state,
    alerts,
    queries,
    readAccounts,
    orders,
    inserted,
    plan: (limit = 100, threshold = oneUsdt) => plan(operatorNamed('ana'), { threshold, limit }),
    planOf: (...addresses: string[]) => plan(operatorNamed('ana'), { threshold: oneUsdt, limit: 100, addresses }),
  }
}

const topUpOf = (account: string): TopUpAddress => ({
  tenantId: 'ten_1',
  chain: 'tron',
  index: 1,
  account,
  address: `T-${account}`,
  mac: '',
  createdAt: start,
  retiredAt: null,
})

async function swept(h: ReturnType<typeof harness>, limit?: number) {
  const answer = await h.plan(limit)
  return answer.type === 'planned' ? answer.plan.transfers.map(({ address }) => address) : []
}

test('a signer has 12 hours unless settings say otherwise, and less than the 24 of nodes', () => {
  expect(sweepExpirySeconds).toEqual({ default: 43_200, max: 82_800 })
})

test('transfers refer to a solid block, and expire after the newest one', async () => {
  const h = harness([[addressWith(1)]])
  const answer = await h.plan()
  expect(h.orders).toEqual([
    {
      to: 'treasury',
      amount: usdt(5000000n),
      feeLimit: 30n,
      reference: block('solid'),
      at: start,
      expiresAt: after(3598),
    },
  ])
  expect(answer).toMatchObject({ type: 'planned', skipped: [], plan: h.inserted[0] ?? {} })
  expect(h.inserted[0]?.batch.expiresAt).toEqual(after(3598))
})

test('a treasury that is a top-up address is refused', async () => {
  const h = harness([[addressWith(1)]])
  h.state.topUps.push('treasury')
  expect(await h.plan()).toEqual({ type: 'refused', code: 'treasury_is_top_up_address', skipped: [] })
})

test('only addresses with the threshold by the database and no live transfer are asked about', async () => {
  const h = harness([
    [
      addressWith(1, { received: usdt(3_000_000n), swept: usdt(2_000_000n) }),
      addressWith(2, { received: usdt(3_000_000n), swept: usdt(2_000_001n) }),
      addressWith(3, { liveTransferId: 'swp_9' }),
    ],
  ])
  expect(await swept(h)).toEqual(['T-1'])
  expect(h.readAccounts).toEqual([['account 1']])
})

test('a solid balance of exactly the threshold is swept, a lower or unknown one is skipped', async () => {
  const h = harness([[addressWith(1), addressWith(2), addressWith(3)]])
  h.balances.set('account 1', oneUsdt.minor).set('account 2', oneUsdt.minor - 1n)
  h.balances.set('account 3', undefined)
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-1', amount: oneUsdt }] },
    skipped: [
      { address: 'T-2', reason: 'BALANCE_BELOW_THRESHOLD' },
      { address: 'T-3', reason: 'NOT_READ' },
    ],
  })
})

test('pages are read until the last one, or until the plan is full', async () => {
  const pages = [[addressWith(3), addressWith(4)], [addressWith(1)], [addressWith(2)]]
  const whole = harness(pages)
  expect(await swept(whole)).toEqual(['T-1', 'T-2', 'T-3', 'T-4'])
  expect(whole.queries).toEqual([
    { limit: 500 },
    { limit: 500, after: { createdAt: start, id: 'page 0' } },
    { limit: 500, after: { createdAt: start, id: 'page 1' } },
  ])
  const full = harness(pages)
  expect(await swept(full, 3)).toEqual(['T-1', 'T-3', 'T-4'])
  expect(full.readAccounts).toEqual([['account 3', 'account 4'], ['account 1']])
  const partly = harness([[addressWith(3)], [addressWith(1), addressWith(2)]])
  expect(await swept(partly, 2)).toEqual(['T-1', 'T-3'])
  const cut = harness([[addressWith(1), addressWith(2)], [addressWith(3)]])
  expect(await swept(cut, 1)).toEqual(['T-1'])
  expect(cut.readAccounts).toEqual([['account 1']])
})

test.each([
  ['account', { account: 'another account' }],
  ['address', { address: 'T-another' }],
] as const)('an address whose %s its index does not derive is not swept', async (_, changed) => {
  const stored = addressWith(1, changed)
  const h = harness([[stored, addressWith(2)]])
  const { address } = stored
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-2' }] },
    skipped: [{ address, reason: 'ADDRESS_MISMATCH' }],
  })
  expect(h.alerts).toEqual([
    {
      code: 'ADDRESS_MAC_MISMATCH',
      tenantId: 'ten_1',
      subject: address,
      detail: 'index 1 derives T-1; it is not swept',
    },
  ])
})

test('a transfer that reverts, or whose energy costs more than the fee limit, is not planned', async () => {
  const h = harness([[addressWith(1), addressWith(2), addressWith(3)]])
  h.quotes.set('account 1', undefined).set('account 2', { ...cost, energyFee: 31n })
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-3' }] },
    skipped: [
      { address: 'T-1', reason: 'TRANSFER_REVERTS' },
      { address: 'T-2', reason: 'FEE_TOO_HIGH' },
    ],
  })
})

test('an address whose cost is not read is skipped', async () => {
  const h = harness([[addressWith(1), addressWith(2)]])
  h.state.unread.push('account 1')
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-2' }] },
    skipped: [{ address: 'T-1', reason: 'NOT_READ' }],
  })
})

test('addresses that another plan took meanwhile are reported after the skipped ones', async () => {
  const h = harness([[addressWith(1), addressWith(2), addressWith(3)]])
  h.quotes.set('account 3', undefined)
  h.state.taken.push('T-2')
  const reverting = { address: 'T-3', reason: 'TRANSFER_REVERTS' }
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-1' }] },
    skipped: [reverting, { address: 'T-2', reason: 'LIVE_TRANSFER' }],
  })
  const none = harness([[addressWith(2)]])
  none.state.taken.push('T-2')
  expect(await none.plan()).toEqual({
    type: 'refused',
    code: 'nothing_to_sweep',
    skipped: [{ address: 'T-2', reason: 'LIVE_TRANSFER' }],
  })
})

test('every address is planned, at most eight at once', async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => addressWith(index))
  const h = harness([addresses])
  expect(await swept(h)).toEqual(addresses.map(({ address }) => address))
  expect(h.state.mostUnderWay).toBe(8)
})

test('an address with an open review is left out unless the request names it, and nothing else', async () => {
  const h = harness([[addressWith(1), addressWith(2, { hasOpenReview: true })]])
  expect(await h.plan()).toMatchObject({
    plan: { transfers: [{ address: 'T-1' }] },
    skipped: [{ address: 'T-2', reason: 'OPEN_REVIEW' }],
  })
  const named = harness([[addressWith(1), addressWith(2, { hasOpenReview: true })]])
  expect(await named.planOf('T-2')).toMatchObject({ plan: { transfers: [{ address: 'T-2' }] }, skipped: [] })
})
