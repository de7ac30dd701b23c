import { TronWeb, type Types } from 'tronweb'
import { onTestFinished } from 'vitest'
import { startTronDevnet, type TronDevnet, type TronDevnetOptions } from './start-tron-devnet.ts'

/** A key, and tronweb that signs with it. */
export type Wallet = {
  readonly address: string
  readonly tron: TronWeb
  /** Builds and signs a transfer; `timestamp` distinguishes equal ones. */
  signTransfer(to: string, micros: number, options?: SignOptions): Promise<Signed>
}

export type SignOptions = {
  readonly feeLimit?: number
  readonly timestamp?: number
  readonly expiration?: number
  readonly refBlock?: { readonly number: number; readonly id: string }
}

export type Signed = Types.SignedTransaction<Types.TriggerSmartContract>

export type Json = Record<string, unknown>

export type Fixture = {
  readonly devnet: TronDevnet
  /** Creates a wallet; without TRX and tokens by default. */
  wallet(funds?: { readonly sun?: bigint; readonly micros?: bigint }): Promise<Wallet>
  /** Sends a request to the first or another node. */
  ask(path: string, body?: unknown, url?: string): Promise<Reply>
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  /** Advances the clock. */
  step(ms: number): void
}

/** Status 0 if the connection was dropped or refused. */
export type Reply = { readonly status: number; readonly body: Json }

export const start: number = Date.parse('2026-11-21T12:00:00.000Z')

/** Addresses without a known key. */
export const alice = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const bruno = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
export const carla = 'TWsm8HtU2A5eEzoT8ev8yaoFjHsXLLrckb'

/** Starts a devnet with a stepped clock that stops at the end of the test. */
export async function startFixture(options: TronDevnetOptions = {}): Promise<Fixture> {
  let now = start
  const devnet = await startTronDevnet({ now: () => new Date(now), ...options })
  onTestFinished(devnet.stop)
  return {
    devnet,
    wallet: (funds) => walletOf(devnet, funds),
    ask: (path, body, url = devnet.url) => request(`${url}/${path}`, 'POST', body),
    admin: (method, path, body) => request(`${devnet.adminUrl}/dev/${path}`, method, body),
    step: (ms) => void (now += ms),
  }
}

async function walletOf(
  devnet: TronDevnet,
  { sun = 0n, micros = 0n }: { readonly sun?: bigint; readonly micros?: bigint } = {},
): Promise<Wallet> {
  const account = await TronWeb.createAccount()
  const address = account.address.base58
  if (sun > 0n) devnet.fund(address, { sun })
  if (micros > 0n) devnet.setTokenBalance(address, micros)
  const privateKey = account.privateKey.replace(/^0x/, '')
  const tron = new TronWeb({ fullHost: devnet.url, privateKey })
  return { address, tron, signTransfer: (to, micros, options) => signTransfer(devnet, tron, to, micros, options) }
}

async function signTransfer(
  devnet: TronDevnet,
  tron: TronWeb,
  to: string,
  micros: number,
  options: SignOptions = {},
): Promise<Signed> {
  const { number, id, timestamp } = { ...devnet.head(), ...options.refBlock }
  const blockHeader = {
    ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
    ref_block_hash: id.slice(16, 32),
    expiration: options.expiration ?? timestamp + 60_000,
    timestamp: options.timestamp ?? timestamp,
  }
  const { transaction } = await tron.transactionBuilder.triggerSmartContract(
    devnet.tokenContract,
    'transfer(address,uint256)',
    { txLocal: true, blockHeader, feeLimit: options.feeLimit ?? 100_000_000 },
    [
      { type: 'address', value: to },
      { type: 'uint256', value: micros },
    ],
  )
  return tron.trx.sign(transaction)
}

async function request(url: string, method: string, body: unknown): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: parse(text) }
  } catch {
    return { status: 0, body: {} }
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return { unparsable: text }
  }
}

export const textOf = (hex: unknown): string => Buffer.from(String(hex), 'hex').toString()
