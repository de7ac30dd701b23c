import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Step, StepContext } from './step.ts'
import type { TenantWallet } from './tenant-wallet.ts'
import { micro } from './demo-client.ts'

const amount = '25.00'
const credited = micro('25.000000')

/** The faucet's limits: a time between sends, and a maximum in a window. */
const limited = ['429 FAUCET_TOO_SOON', '429 FAUCET_LIMIT_EXCEEDED']

const faucet = (wallet: TenantWallet): Step => ({
  title: 'test tokens from the faucet into the tenant’s own wallet',
  async run({ client, note }) {
    const body = { chain: 'tron', address: wallet.address, amount }
    const outcome = await client.askFaucet(body, randomUUID())
    if (!limited.includes(outcome)) return { expected: '201 submitted', actual: outcome, debited: 0n }
    note('the faucet’s limit is reached; the wallet still has tokens from before')
    return { expected: outcome, actual: outcome, debited: 0n }
  },
})

const Deposit = z.object({ tx_hash: z.string(), status: z.string(), amount: z.string() })
const Deposits = z.object({ data: z.array(Deposit) })
const About = z.object({ tx_hash: z.string().optional() })
const Events = z.object({ data: z.array(z.object({ type: z.string(), data: About })) })
const Transactions = z.object({
  data: z.array(z.object({ direction: z.string(), type: z.string(), amount: z.string() })),
})

const topUp = (wallet: TenantWallet): Step => ({
  title: 'a top-up: sent to the top-up address, pending, then credited',
  async run(context) {
    const { client, note } = context
    const to = await client.topUpAddress()
    const txHash = await wallet.send(to, credited)
    note(`${wallet.address} sent ${amount} USDT: transaction ${txHash.slice(0, 16)}…`)
    await untilDeposit(context, txHash, () => true)
    await untilDeposit(context, txHash, (status) => status !== 'pending')
    const events = await eventTypesOf(context, txHash)
    const transactions = await client.read('/v1/wallets/transactions?limit=1', Transactions)
    const [row] = transactions.data
    const actual = `${events}; ${row?.direction} ${row?.type} ${row?.amount}`
    return { expected: 'deposit.pending then deposit.credited; in deposit 25.000000', actual, debited: -credited }
  },
})

/** Polls the deposits until the one of this transfer has an accepted status. */
async function untilDeposit(
  { client, note, pause }: StepContext,
  txHash: string,
  isAccepted: (status: string) => boolean,
): Promise<void> {
  const path = '/v1/deposits?limit=5'
  for (let times = 0; times < 240; times++) {
    const { data } = await client.read(path, Deposits)
    const deposit = data.find((each) => each.tx_hash === txHash)
    if (deposit && isAccepted(deposit.status)) {
      note(`GET ${path}: ${deposit.amount} USDT ${deposit.status}`)
      return
    }
    await pause(250)
  }
  throw new Error(`no deposit with the expected status for transfer ${txHash}`)
}

/** The event types of a transfer, oldest first. */
async function eventTypesOf({ client }: StepContext, txHash: string): Promise<string> {
  const { data } = await client.read('/v1/events?limit=20', Events)
  const types = data.filter((event) => event.data.tx_hash === txHash).map(({ type }) => type)
  return types.toReversed().join(' then ')
}

export const fundingSteps = (wallet: TenantWallet): readonly Step[] => [faucet(wallet), topUp(wallet)]
