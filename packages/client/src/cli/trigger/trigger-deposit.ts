import type { Deposit, Wallet } from '../../index.ts'
import type { CommandCall } from '../connection/command-call.ts'
import { environmentOf, readLocalFile } from '../connection/connection.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import type { DepositOutcome } from './outcomes.ts'

type Address = Wallet['top_up_addresses'][number]

/** How long a deposit may take. */
const waitMs = 90_000
const pollMs = 500

/** Sends USDT to the wallet's top-up address, where its chain takes orders, and waits for the deposit's state. */
export async function triggerDeposit(call: CommandCall, outcome: DepositOutcome): Promise<Deposit> {
  const { client, context } = call
  const [address] = (await client.wallets.get({}, { signal: context.signal })).top_up_addresses
  if (address === undefined)
    throw new CommandError(exitCodes.refused, 'The wallet has no top-up address: this service has no chain.')
  const amount = amountOf(outcome, address)
  const isWanted =
    environmentOf(call.connection.key) === 'example'
      ? await sendOnExample(call, amount)
      : await sendOnDevnet(call, address, amount)
  return untilEnded(call, isWanted, outcome)
}

/** Micro-USDT. */
function amountOf({ amount }: DepositOutcome, address: Address): bigint {
  const minimum = micro(address.minimum_amount)
  const limit = micro(address.maximum_automatic_amount)
  if (amount === 'below minimum') return minimum / 2n
  return amount === 'above limit' ? limit + 1n : minimum * 2n
}

const micro = (decimal: string): bigint => BigInt(decimal.replace('.', ''))
const decimal = (amount: bigint): string =>
  String(amount)
    .padStart(7, '0')
    .replace(/(?=\d{6}$)/, '.')

type Wanted = (deposit: Deposit) => boolean

/** The example server has an operation for it. */
async function sendOnExample(call: CommandCall, amount: bigint): Promise<Wanted> {
  const { connection, context } = call
  const response = await fetch(`${connection.url}/v1/mock/deposits`, {
    method: 'POST',
    headers: { 'X-API-Key': connection.key, 'Content-Type': 'application/json' },
    redirect: 'error', // A redirect would carry the key elsewhere.
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(60_000)]),
    body: JSON.stringify({ amount: decimal(amount) }),
  })
  const text = await response.text()
  if (response.status !== 201)
    throw new CommandError(exitCodes.refused, `The example server refused a deposit: ${response.status} ${text}`)
  const { id } = JSON.parse(text) as Deposit
  return (deposit) => deposit.id === id
}

/** `start` runs a chain with an admin port, and has a wallet on it. @throws CommandError elsewhere */
async function sendOnDevnet(call: CommandCall, { address }: Address, amount: bigint): Promise<Wanted> {
  const local = await readLocalFile(call.context.env)
  if (local?.tron === undefined || local.base_url !== call.connection.url)
    throw usageError(
      `Deposits of ${call.connection.url} come from its chain: send test USDT to ${address}. The sandbox's faucet sends some to a wallet of yours: POST /v1/sandbox/faucet.`,
    )
  const { admin_url: admin, wallet } = local.tron
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(admin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.ok) return response.json()
    throw new CommandError(exitCodes.refused, `The devnet refused ${path}: ${await response.text()}`)
  }
  const value = String(amount)
  await post('/dev/token-balance', { address: wallet.address, value })
  const { txid } = (await post('/dev/transfer', { from: wallet.address, to: address, value })) as {
    readonly txid: string
  }
  return ({ tx_hash }) => tx_hash === txid
}

/** @throws CommandError when it takes longer than a chain needs */
async function untilEnded(
  { client, context: { signal } }: CommandCall,
  isWanted: Wanted,
  { ends }: DepositOutcome,
): Promise<Deposit> {
  const until = performance.now() + waitMs
  while (performance.now() < until) {
    const { data } = await client.deposits.list({ limit: 20 }, { signal }).page()
    const found = data.find(isWanted)
    if (found && (found.status === ends || found.status !== 'pending')) return found
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    signal.throwIfAborted()
  }
  throw new CommandError(exitCodes.unavailable, 'The deposit was sent and is not there yet: quipu deposits')
}
