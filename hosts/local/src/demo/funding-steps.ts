import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Chapter, Stage } from './payment-steps.ts'
import type { OwnWallet } from './tenant-wallet.ts'
import { micro } from './demo-client.ts'

const amount = '25.00'
const credited = micro('25.000000')

/** What the faucet says to a tenant that has asked less than a minute ago, or often today. */
const notNow = ['429 FAUCET_TOO_SOON', '429 FAUCET_LIMIT_EXCEEDED']

const faucet = (wallet: OwnWallet): Chapter => ({
  title: 'test tokens from the faucet, into a wallet of one’s own',
  async play({ shop, remark }) {
    const body = { chain: 'tron', address: wallet.address, amount }
    const outcome = await shop.askFaucet(body, randomUUID())
    if (!notNow.includes(outcome)) return { expected: '201 submitted', got: outcome, debited: 0n }
    remark('it gives again later; the wallet has tokens of an earlier time')
    return { expected: outcome, got: outcome, debited: 0n }
  },
})

const Deposit = z.object({ tx_hash: z.string(), status: z.string(), amount: z.string() })
const Deposits = z.object({ data: z.array(Deposit) })
const About = z.object({ tx_hash: z.string().optional() })
const Events = z.object({ data: z.array(z.object({ type: z.string(), data: About })) })
const Transactions = z.object({
  data: z.array(z.object({ direction: z.string(), type: z.string(), amount: z.string() })),
})

const topUp = (wallet: OwnWallet): Chapter => ({
  title: 'a top-up: on to the wallet’s address, pending, then credited',
  async play(stage) {
    const { shop, remark } = stage
    const to = await shop.topUpAddress()
    const txHash = await wallet.send(to, credited)
    remark(`${wallet.address} has sent ${amount} USDT there: ${txHash.slice(0, 16)}…`)
    await untilSeen(stage, txHash, () => true)
    await untilSeen(stage, txHash, (status) => status !== 'pending')
    const told = await toldOf(stage, txHash)
    const transactions = await shop.read('/v1/wallets/transactions?limit=1', Transactions)
    const [row] = transactions.data
    const got = `${told}; ${row?.direction} ${row?.type} ${row?.amount}`
    return {
      expected: 'deposit.pending then deposit.credited; in deposit 25.000000',
      got,
      debited: -credited,
    }
  },
})

/** Asks for the deposit of a transfer until its status is right. */
async function untilSeen(
  { shop, remark, pause }: Stage,
  txHash: string,
  isRight: (status: string) => boolean,
): Promise<void> {
  const path = '/v1/deposits?limit=5'
  for (let times = 0; times < 240; times++) {
    const { data } = await shop.read(path, Deposits)
    const deposit = data.find((each) => each.tx_hash === txHash)
    if (deposit && isRight(deposit.status)) {
      remark(`GET ${path}: ${deposit.amount} USDT ${deposit.status}`)
      return
    }
    await pause(250)
  }
  throw new Error(`the transfer ${txHash} is not there`)
}

/** What was told of a transfer, oldest first: also of a moment that was over before it was looked at. */
async function toldOf({ shop }: Stage, txHash: string): Promise<string> {
  const { data } = await shop.read('/v1/events?limit=20', Events)
  const types = data.filter((event) => event.data.tx_hash === txHash).map(({ type }) => type)
  return types.toReversed().join(' then ')
}

/** How money comes in. */
export const fundingChapters = (wallet: OwnWallet): readonly Chapter[] => [
  faucet(wallet),
  topUp(wallet),
]
