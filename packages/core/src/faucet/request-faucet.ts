import type {
  ChainAccount,
  Broadcaster,
  ChainReader,
  SignedTransfer,
  TransferOrder,
  TransferSigner,
} from '../deposit/chain.ts'
import type { TopUpAddressStore } from '../deposit/ports.ts'
import type { Ids, RandomBytes } from '../ids.ts'
import { compareMoney, type Usdt } from '../money.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import { type Clock, type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { defaultFaucetLimits, type FaucetLimits, type FaucetSend } from './faucet.ts'
import { checkFaucetLimits } from './check-faucet-limits.ts'
import type { FaucetRefusal, FaucetStore } from './ports.ts'

/** A validated `POST /sandbox/faucet`. @source spec §4 */
export type FaucetRequest = {
  /** What the `Idempotency-Key` is stored as: at most 255 characters. */
  readonly key: string
  /** Tells whether a repeated request has the same body. */
  readonly fingerprint: string
  /** Who receives, and how the tenant wrote it. */
  readonly account: ChainAccount
  readonly address: string
  /** Greater than zero. */
  readonly amount: Usdt
}

/** Nothing was written and nothing is sent; the key stays free, unless it was used before. */
export type FaucetRefused =
  | {
      readonly type: 'refused'
      readonly code:
        | 'IDEMPOTENCY_KEY_REUSED'
        | 'FAUCET_AMOUNT_TOO_LARGE'
        | 'TOP_UP_ADDRESS_NOT_ALLOWED'
        /** Out of tokens, or of what a transfer costs. */
        | 'FAUCET_EMPTY'
        /** The caller was no longer allowed once the transfer had been prepared. */
        | 'AUTHENTICATION_FAILED'
    }
  | ({ readonly type: 'refused' } & FaucetRefusal)

export type FaucetAnswer =
  /** As it was told at first, whatever has become of it since. */
  | {
      readonly type: 'send'
      readonly send: FaucetSend & { readonly status: 'submitted' }
      readonly replayed: boolean
    }
  | FaucetRefused

export type RequestFaucet = (
  tenantId: string,
  request: FaucetRequest,
  stillAllowed?: StillAllowed,
) => Promise<FaucetAnswer>

export type RequestFaucetPorts = {
  readonly faucet: Pick<FaucetStore, 'find' | 'usage' | 'commit'>
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly reader: Pick<ChainReader, 'chain' | 'head'>
  readonly signer: TransferSigner
  readonly broadcaster: Pick<Broadcaster, 'prepare' | 'broadcast'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
  readonly timer: Timer
}

export type FaucetSettings = {
  readonly limits: FaucetLimits
  /** How long the request has its send to itself; then a worker finishes it. */
  readonly leaseSeconds: number
  /** How long an answer waits for the node to take the transfer. */
  readonly broadcastWithinMs: number
}

/** @source assumed, but for the limits */
export const defaultFaucetSettings: FaucetSettings = {
  limits: defaultFaucetLimits,
  leaseSeconds: 15,
  broadcastWithinMs: 5_000,
}

/**
 * Sends test tokens to a wallet that the tenant controls: once for one key, whatever happens.
 *
 * The transfer is signed first; then one commit judges the limits and stores the key, the answer
 * and the signed bytes; then those bytes are broadcast. What the node says to them changes nothing:
 * `settleFaucetSend` goes on from what is stored. What refuses early refuses before anything is
 * signed.
 *
 * @throws Unavailable when nothing could be sent or its outcome is unknown: the same request is
 *   always safe
 * @source spec §4 POST /sandbox/faucet, §8
 */
export const requestFaucet =
  (ports: RequestFaucetPorts, { limits, ...settings }: FaucetSettings): RequestFaucet =>
  async (tenantId, request, stillAllowed = alwaysAllowed) => {
    const { faucet, addresses, reader } = ports
    const { key, account, amount } = request
    const known = await faucet.find(tenantId, key)
    if (known) return repeat(known, request)
    if (compareMoney(amount, limits.perRequest) > 0) return refuse('FAUCET_AMOUNT_TOO_LARGE')
    const topUps = await addresses.match(reader.chain, [account])
    if (topUps.length > 0) return refuse('TOP_UP_ADDRESS_NOT_ALLOWED')

    const judge = checkFaucetLimits(limits, amount)
    const { usage, now } = await faucet.usage(tenantId, account, limits.windowSeconds)
    const early = judge(usage, now)
    if ('code' in early) return unlessKnown({ type: 'refused', ...early })
    const order = await prepare(ports, request)
    if (!order) return unlessKnown(refuse('FAUCET_EMPTY'))

    if (!(await stillAllowed())) return refuse('AUTHENTICATION_FAILED')

    for (let signatures = 1; signatures <= signaturesAtMost; signatures++) {
      const transfer = await ports.signer.sign(order())
      const id = ports.ids.uuid(ports.now())
      const committed = await faucet.commit(
        { ...request, id, tenantId, chain: reader.chain, transfer },
        judge,
        limits,
        settings.leaseSeconds,
      )
      switch (committed.type) {
        case 'committed':
          await broadcastInTime(ports, transfer, settings.broadcastWithinMs)
          return told(committed.send, false)
        case 'known':
          return repeat(committed.send, request)
        case 'refused':
          return { type: 'refused', ...committed.refusal }
        case 'collision': // Signed again, with other instants, it is another transaction.
      }
    }
    throw new Unavailable('signer', `${signaturesAtMost} transfers had the ids of others`)

    /** An equal request may have been accepted since the first look, and be what refuses this one. */
    async function unlessKnown(refused: FaucetRefused): Promise<FaucetAnswer> {
      const since = await faucet.find(tenantId, key)
      return since ? repeat(since, request) : refused
    }
  }

/** Of a hundred equal requests in one millisecond two share an id once in twelve times. */
const signaturesAtMost = 5

/** A transfer enters no block later than a minute or two after the head, told by the head's own time. */
const expiresAfterMs = { least: 60_000, spread: 60_000 }

/**
 * What makes an order, each time another: two that are equal have one transaction id, and the chain
 * would take them for one transfer.
 *
 * @returns undefined when the faucet cannot pay
 */
async function prepare(
  { broadcaster, reader, signer, random, now }: RequestFaucetPorts,
  { account: to, amount }: FaucetRequest,
): Promise<(() => TransferOrder) | undefined> {
  const [feeLimit, reference, head] = await Promise.all([
    broadcaster.prepare(signer.account, to, amount),
    reader.head('solid'),
    reader.head('head'),
  ])
  if (feeLimit === undefined) return undefined
  return () => {
    const lots = random(4).reduce((sum, byte) => sum * 256 + byte, 0)
    const lifeMs = expiresAfterMs.least + (lots % expiresAfterMs.spread)
    const expiresAt = new Date(head.at.getTime() + lifeMs)
    return { to, amount, feeLimit, reference, at: now(), expiresAt }
  }
}

/** Once, and not for ever. What went wrong shows again when a worker sends the same bytes. */
async function broadcastInTime(
  { broadcaster, timer }: RequestFaucetPorts,
  transfer: SignedTransfer,
  ms: number,
): Promise<void> {
  const broadcast = broadcaster.broadcast(transfer).catch(() => undefined)
  await withTimeout(timer, ms, broadcast)
}

const told = (send: FaucetSend, replayed: boolean): FaucetAnswer => ({
  type: 'send',
  send: { ...send, status: 'submitted' },
  replayed,
})

const repeat = (known: FaucetSend, { fingerprint }: FaucetRequest): FaucetAnswer =>
  known.fingerprint === fingerprint ? told(known, true) : refuse('IDEMPOTENCY_KEY_REUSED')

type PlainCode = Exclude<FaucetRefused, FaucetRefusal>['code']

const refuse = (code: PlainCode): FaucetRefused => ({ type: 'refused', code })
