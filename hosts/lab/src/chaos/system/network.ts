import {
  type OpenHubSimulator,
  type OrderView,
  type QrNetworkSimulator,
  startOpenHub,
  startQrNetwork,
  type Switches,
} from '@quipu/simulators'
import type { NetworkPayment } from '../../agreement/invariants.ts'
import type { NetworkKind } from '../../run/network-kind.ts'

/** Ends a fault. */
export type Heal = () => Promise<unknown> | void

/** The network of a system, with what both kinds can do. */
export type ChaosNetwork = Pick<QrNetworkSimulator, 'issueQr' | 'stop'> & {
  readonly url: string
  /** The variables of the programs that reach it at this URL. */
  env(url: string): Readonly<Record<string, string>>
  payments(): readonly NetworkPayment[]
  ledger(): unknown
  /** Whether no program can prove that the payout was not paid, and the network never pays it. */
  isForPeople(payoutId: string): boolean
  setCallbackUrl(url: string): void
  slow(ms: number): Promise<Heal>
  down(how: 'refuse' | '503'): Promise<Heal>
  /** It pays, and its answers are lost, garbled or errors. */
  lose(): Promise<Heal>
}

const token = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

export const startNetwork = (kind: NetworkKind): Promise<HttpChaosNetwork | OpenHubChaosNetwork> =>
  kind === 'http' ? startHttp() : startHub()

export type HttpChaosNetwork = ChaosNetwork & { readonly kind: 'http'; readonly simulator: QrNetworkSimulator }

async function startHttp(): Promise<HttpChaosNetwork> {
  const simulator = await startQrNetwork({ token, callbackSecret, lateMs: 1_000 })
  const faults = async (patch: Parameters<QrNetworkSimulator['setFaults']>[0]): Promise<void> =>
    void (await simulator.setFaults(patch))
  return {
    kind: 'http',
    simulator,
    url: simulator.url,
    env: (url) => ({
      QR_NETWORK_URL: url,
      QR_NETWORK_IDENTITY: 'simulator',
      QR_NETWORK_TOKEN: token,
      QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    }),
    issueQr: simulator.issueQr,
    payments: () => simulator.ledger().payments,
    ledger: () => simulator.ledger(),
    isForPeople: () => false,
    setCallbackUrl: simulator.setCallbackUrl,
    stop: simulator.stop,
    slow: async (ms) => {
      await faults({ delay_ms: ms })
      return () => faults({ delay_ms: 0 })
    },
    down: async (how) => {
      await faults({ down: how })
      return () => faults({ down: false })
    },
    lose: async () => {
      const dropped = { put: 2, get: 3, cancel: 2 }
      const [before, after] = [{ drop_before_paying: 3 }, { drop_answer_after_paying: 4, error_after_paying: 3 }]
      await faults({ ...before, ...after, garble_after_paying: 3, drop_answer_next: dropped })
      const none = { drop_before_paying: 0, drop_answer_after_paying: 0, error_after_paying: 0, garble_after_paying: 0 }
      return () => faults({ ...none, drop_answer_next: {} })
    },
  }
}

export type OpenHubChaosNetwork = ChaosNetwork & {
  readonly kind: 'openhub'
  readonly simulator: OpenHubSimulator
  /** The payouts whose money came back. */
  readonly returned: ReadonlySet<string>
  giveBack(payoutId: string): void
  /** Orders are answered without their outcome: each code paid and not paid, and paid later. */
  leaveOpen(): Promise<Heal>
}

const credentials = { clientId: 'chaos', clientSecret: 'the secret of the client' }

async function startHub(): Promise<OpenHubChaosNetwork> {
  const simulator = await startOpenHub({ ...credentials, switches: { later_ms: 1_000 } })
  const switching = async (patch: Partial<Switches>, healed: Partial<Switches>): Promise<Heal> => {
    await simulator.setSwitches(patch)
    return async () => void (await simulator.setSwitches(healed))
  }
  const replying = (replies: Switches['reply_next']): Promise<Heal> =>
    switching({ reply_next: replies }, { reply_next: [] })
  const ordersOf = (id: string): readonly OrderView[] => simulator.ledger(id).orders
  const returned = new Set<string>()
  return {
    kind: 'openhub',
    simulator,
    returned,
    giveBack: (id) => {
      if (typeof simulator.settle(id, 'REVERTIDO') === 'object') returned.add(id)
    },
    url: simulator.url,
    env: (url) => ({
      QR_NETWORK: 'openhub',
      QR_NETWORK_IDENTITY: 'simulator',
      OPENHUB_URL: url,
      OPENHUB_CLIENT_ID: credentials.clientId,
      OPENHUB_CLIENT_SECRET: credentials.clientSecret,
      OPENHUB_NIT: simulator.nit,
      OPENHUB_SOURCE_ACCOUNT: simulator.accounts[0],
      OPENHUB_SCAN_TIMEOUT_MS: '10000',
      OPENHUB_CONFIRM_TIMEOUT_MS: '12000',
    }),
    issueQr: simulator.issueQr,
    payments: () => simulator.ledger().orders.map(paymentOf),
    ledger: () => simulator.ledger(),
    isForPeople: (id) => ordersOf(id).every(({ state }) => state === 'SIN_CONFIRMAR' || state === 'RECHAZADA'),
    setCallbackUrl: () => undefined,
    stop: simulator.stop,
    slow: (ms) => switching({ delay_ms: ms }, { delay_ms: 0 }),
    down: (how) => switching({ down: how }, { down: false }),
    lose: () =>
      replying([
        ...(['lost', 'truncated', '502'] as const).flatMap((reply) => [
          { operation: 'confirm' as const, reply, course: 'paid' as const, times: 2 },
          { operation: 'confirm' as const, reply, course: 'none' as const },
        ]),
        { operation: 'status', reply: 'lost', times: 3 },
        { operation: 'debitos', reply: 'truncated', times: 2 },
      ]),
    leaveOpen: () =>
      replying(
        (['94', '96', '95', '99', '14'] as const).flatMap((reply) =>
          (['paid', 'unpaid', 'unconfirmed_paid'] as const).map((course) => ({
            operation: 'confirm' as const,
            reply,
            course,
          })),
        ),
      ),
  }
}

const paymentOf = ({ transaccion_id: reference, description, amount, paid_at }: OrderView): NetworkPayment => ({
  reference,
  description,
  amount,
  requested_amount: amount,
  outcome: paid_at === null ? 'pending' : 'paid',
  times_paid: paid_at === null ? 0 : 1,
})
