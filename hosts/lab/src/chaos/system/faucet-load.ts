import { type Quipu, QuipuConnectionError, QuipuError } from '@quipu/client'
import type { ChaosTenant } from './tenants.ts'
import { tronAddressFormat } from '@quipu/tron'
import { setTimeout as pause } from 'node:timers/promises'

/** A request of test tokens, for an address that has no other. */
export type FaucetAsk = {
  readonly tenant: ChaosTenant
  readonly address: string
  readonly micros: bigint
  /** The id of its send; null once it is refused for good. Undefined without an answer. */
  id: string | null | undefined
}

export type FaucetLoad = {
  readonly asks: readonly FaucetAsk[]
  /** Asks for nothing more; resolves when each request has an answer. */
  stop(): Promise<void>
}

/** One request a minute and tenant is allowed, and ten a day. */
const everyMs = 20_000
const perTenant = 10
const retryMs = 500

/** Every tenant asks the faucet, and repeats each request with its key until it has an answer. */
export function loadFaucet(tenants: readonly ChaosTenant[], clientOf: (tenant: ChaosTenant) => Quipu): FaucetLoad {
  const asks: FaucetAsk[] = []
  let isStopped = false
  const load = async (tenant: ChaosTenant): Promise<void> => {
    const client = clientOf(tenant)
    let accepted = 0
    while (!isStopped && accepted < perTenant) {
      const number = asks.length + 1
      const address = tronAddressFormat.format(number.toString(16).padStart(40, 'f'))
      const ask: FaucetAsk = { tenant, address, micros: BigInt(1_000_000 + number), id: undefined }
      asks.push(ask)
      while (ask.id === undefined) ask.id = await send(client, ask)
      if (ask.id !== null) accepted++
      for (let waited = 0; waited < everyMs && !isStopped; waited += retryMs) await pause(retryMs)
    }
  }
  const loading = Promise.all(tenants.map(load))
  return {
    asks,
    stop: async () => {
      isStopped = true
      await loading
    },
  }
}

async function send(client: Quipu, { address, micros }: FaucetAsk): Promise<FaucetAsk['id']> {
  const amount = `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`
  try {
    const sent = await client.sandbox.faucet({ chain: 'tron', address, amount }, { idempotencyKey: address })
    return sent.id
  } catch (error) {
    if (error instanceof QuipuError && error.code.startsWith('FAUCET_')) return null
    if (!(error instanceof QuipuError) && !(error instanceof QuipuConnectionError)) throw error
    await pause(retryMs)
    return undefined
  }
}
