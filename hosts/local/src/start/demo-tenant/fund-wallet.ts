import { setTimeout as pause } from 'node:timers/promises'
import { parseMoney, type Usdt, usdt } from '@quipu/core'
import { z } from 'zod'
import { askJson } from '../../ask-json.ts'
import { StartRefusal } from '../start-refusal.ts'
import type { Tron } from '../tron.ts'

const funds = usdt(1_000_000_000n)
const pollMs = 100
const timeoutMs = 300_000

const Wallet = z.object({ available: z.string(), top_up_addresses: z.array(z.object({ address: z.string() })).min(1) })
const Deposits = z.object({ data: z.array(z.object({ status: z.string() })) })

/**
 * Sends 1,000 test USDT from the demo tenant's own wallet to its top-up address, and waits until
 * the deposit is credited.
 *
 * Idempotent: it sends nothing if the chain already has a transfer of an earlier start.
 *
 * @returns the spendable balance
 * @throws StartRefusal if the deposit is not credited within 5 minutes
 */
export async function fundDemoWallet(
  api: { readonly url: string; readonly apiKey: string },
  tron: Pick<Tron, 'wallet' | 'transfers' | 'pending' | 'transfer'>,
  stopping: AbortSignal,
): Promise<Usdt> {
  const get = async (path: string): Promise<unknown> => {
    const headers = { 'x-api-key': api.apiKey }
    const { status, json } = await askJson(api.url, { method: 'GET', path, headers })
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}`)
    return json
  }
  const readWallet = async () => Wallet.parse(await get('/v1/wallets'))
  const deadline = Date.now() + timeoutMs
  const waitFor = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await condition())) {
      if (Date.now() > deadline)
        throw new StartRefusal(
          `The demo deposit was not credited within ${timeoutMs / 60_000} minutes. See quipu.log in the data folder for the reason.`,
        )
      await pause(pollMs, undefined, { signal: stopping })
    }
  }

  const [first] = (await readWallet()).top_up_addresses
  const { address: to } = first ?? { address: '' }
  const { address: from } = tron.wallet
  await waitFor(() => tron.pending().length === 0)
  if (!tron.transfers().some((transfer) => transfer.to === to)) tron.transfer({ from, to, value: funds.minor })
  await waitFor(async () => {
    const { data } = Deposits.parse(await get('/v1/deposits?status=credited&limit=1'))
    return data.length > 0
  })
  return parseMoney('USDT', (await readWallet()).available) ?? usdt(0n)
}
