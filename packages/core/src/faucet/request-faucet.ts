import type { ChainAccount, Broadcaster, ChainReader, SignedTransfer, TransferSigner } from '../chain/chain.ts'
import type { TopUpAddressStore } from '../top-up-address/ports.ts'
import { type Ids, type RandomBytes } from '../ids.ts'
import { compareMoney, type Usdt, usdtShape } from '../money.ts'
import { alwaysAllowed, type StillAllowed } from '../api-key/authenticate.ts'
import { type Clock, type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { defaultFaucetLimits, type FaucetLimits, type FaucetSend } from './faucet.ts'
import { checkFaucetLimits } from './check-faucet-limits.ts'
import type { FaucetRefusal, FaucetStore } from './ports.ts'
import { prepareOrders } from './prepare-orders.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** A validated `POST /sandbox/faucet`. @source spec §4 */
export type FaucetRequest = {
  /** The stored form of the `Idempotency-Key`: at most 255 characters. */
  readonly key: string
  /** Digest of the request's body: distinguishes a repeated request from another one with the same key. */
  readonly fingerprint: string
  /** The recipient. */
  readonly account: ChainAccount
  /** The recipient as the tenant wrote it. */
  readonly address: string
  /** Greater than zero. */
  readonly amount: Usdt
}

/** Nothing was written or sent; the key stays free unless it was used before. */
export type FaucetRefused =
  | {
      readonly type: 'refused'
      readonly code:
        | 'IDEMPOTENCY_KEY_REUSED'
        | 'FAUCET_AMOUNT_TOO_LARGE'
        | 'TOP_UP_ADDRESS_NOT_ALLOWED'
        /** Tokens never return from the account, or it is the faucet's own. */
        | 'RECIPIENT_NOT_ALLOWED'
        /** The faucet has too few tokens, or cannot pay the fee, by balances that were read. */
        | 'FAUCET_EMPTY'
        /** The caller's permission ended while the transfer was prepared. */
        | 'AUTHENTICATION_FAILED'
    }
  | ({ readonly type: 'refused' } & FaucetRefusal)

/** The accepted send, or why the request was refused. */
export type FaucetAnswer =
  /** As in the first answer, also after the send is settled. */
  | { readonly type: 'send'; readonly send: FaucetSend & { readonly status: 'submitted' }; readonly replayed: boolean }
  | FaucetRefused

/** Handles one faucet request. @throws Unavailable when nothing was sent or the outcome is unknown */
export type RequestFaucet = (
  tenantId: string,
  request: FaucetRequest,
  stillAllowed?: StillAllowed,
) => Promise<FaucetAnswer>

/** The ports of `requestFaucet`. */
export type RequestFaucetPorts = {
  readonly faucet: Pick<FaucetStore, 'find' | 'usage' | 'commit'>
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly reader: Pick<ChainReader, 'chain' | 'head'>
  readonly signer: TransferSigner
  readonly broadcaster: Pick<Broadcaster, 'canReceive' | 'prepare' | 'broadcast'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
  readonly timer: Timer
}

/** The faucet's limits and times. */
export type FaucetSettings = {
  readonly limits: FaucetLimits
  /** When a worker may claim the send. */
  readonly leaseSeconds: number
  /** How long an answer waits for the node to accept the transfer. */
  readonly broadcastWithinMs: number
}

const faucetSettingsShape: SettingsShape<FaucetSettings> = {
  limits: {
    perRequest: usdtShape,
    perTenant: usdtShape,
    requestsPerTenant: 'number',
    perAddress: usdtShape,
    shared: usdtShape,
    spacingSeconds: 'number',
    windowSeconds: 'positive',
  },
  leaseSeconds: 'positive',
  broadcastWithinMs: 'positive',
}

/** The default settings of the faucet. */
export const defaultFaucetSettings: FaucetSettings = {
  limits: defaultFaucetLimits,
  leaseSeconds: 15,
  broadcastWithinMs: 5_000,
}

/**
 * Sends test tokens to a wallet that the tenant controls, at most once for one key.
 *
 * Signs the transfer, then commits the key, the answer and the signed bytes together with the limit check,
 * then broadcasts the bytes. The node's answer changes nothing: `settleFaucetSend` continues from the stored
 * send. Early refusals come before anything is signed.
 *
 * @throws Unavailable when nothing was sent or the outcome is unknown: the same request is always safe
 * @source spec §4 POST /sandbox/faucet, §8
 * @example
 * ```ts
 * const request = requestFaucet(ports, defaultFaucetSettings)
 * const amount = usdt(10_000_000n)
 * const account = 'b'.repeat(40)
 * const wallet = { account, address: ports.format.format(account) }
 * const answer = await request(tenant.id, { key: 'first', fingerprint: 'v1', ...wallet, amount })
 * console.log(answer.type === 'send' && answer.send.status) // submitted
 * ```
 */
export function requestFaucet(ports: RequestFaucetPorts, settings: FaucetSettings): RequestFaucet {
  checkSettings('requestFaucet', settings, faucetSettingsShape)
  const { limits, leaseSeconds, broadcastWithinMs } = settings
  return async (tenantId, request, stillAllowed = alwaysAllowed) => {
    const { faucet, addresses, reader } = ports
    const { key, account, amount } = request
    const stored = await faucet.find(tenantId, key)
    if (stored) return repeat(stored, request)
    if (compareMoney(amount, limits.perRequest) > 0) return refuse('FAUCET_AMOUNT_TOO_LARGE')
    const topUps = await addresses.match(reader.chain, [account])
    if (topUps.length > 0) return refuse('TOP_UP_ADDRESS_NOT_ALLOWED')
    if (account === ports.signer.account || !ports.broadcaster.canReceive(account))
      return refuse('RECIPIENT_NOT_ALLOWED')

    const check = checkFaucetLimits(limits, amount)
    const { usage, now } = await faucet.usage(tenantId, account, limits.windowSeconds)
    const early = check(usage, now)
    if ('code' in early) return refuseUnlessStored(ports, tenantId, request, { type: 'refused', ...early })
    const order = await prepareOrders(ports, request)
    if (!order) return refuseUnlessStored(ports, tenantId, request, refuse('FAUCET_EMPTY'))

    if (!(await stillAllowed())) return refuse('AUTHENTICATION_FAILED')

    for (let signatures = 1; signatures <= signaturesMax; signatures++) {
      const transfer = await ports.signer.sign(order())
      const id = ports.ids.uuid(ports.now())
      const committed = await faucet.commit(
        { ...request, id, tenantId, chain: reader.chain, transfer },
        check,
        limits,
        leaseSeconds,
      )
      switch (committed.type) {
        case 'committed':
          await broadcastInTime(ports, transfer, broadcastWithinMs)
          return answerOf(committed.send, false)
        case 'stored':
          return repeat(committed.send, request)
        case 'refused':
          return { type: 'refused', ...committed.refusal }
        case 'collision': // Another order has other instants, and so another transaction id.
      }
    }
    throw new Unavailable('signer', `${signaturesMax} transfers in a row had the id of another one`)
  }
}

/** An equal request may have been accepted since the first lookup, and have used up a limit. */
async function refuseUnlessStored(
  { faucet }: Pick<RequestFaucetPorts, 'faucet'>,
  tenantId: string,
  request: FaucetRequest,
  refused: FaucetRefused,
): Promise<FaucetAnswer> {
  const stored = await faucet.find(tenantId, request.key)
  return stored ? repeat(stored, request) : refused
}

/** Two of 100 equal requests in one millisecond share a transaction id with a probability of 1 in 12. */
const signaturesMax = 5

/** Errors are ignored: a worker broadcasts the same bytes again. */
async function broadcastInTime(
  { broadcaster, timer }: RequestFaucetPorts,
  transfer: SignedTransfer,
  ms: number,
): Promise<void> {
  const broadcast = broadcaster.broadcast(transfer).catch(() => undefined)
  await withTimeout(timer, ms, broadcast)
}

const answerOf = (send: FaucetSend, replayed: boolean): FaucetAnswer => ({
  type: 'send',
  send: { ...send, status: 'submitted' },
  replayed,
})

const repeat = (stored: FaucetSend, { fingerprint }: FaucetRequest): FaucetAnswer =>
  stored.fingerprint === fingerprint ? answerOf(stored, true) : refuse('IDEMPOTENCY_KEY_REUSED')

type PlainCode = Exclude<FaucetRefused, FaucetRefusal>['code']

const refuse = (code: PlainCode): FaucetRefused => ({ type: 'refused', code })
