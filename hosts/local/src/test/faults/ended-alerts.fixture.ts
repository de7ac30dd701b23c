import type { Scenario, TronDevnet } from '@quipu/simulators'
import { tronAddressFormat } from '@quipu/tron'
import type { TenantNoticeJson } from '@quipu/wire'
import { until } from '../harness/process.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { sweepOperator } from '../harness/sweeps.fixture.ts'
import { approverToken, closedQr, operatorToken, type Payout, type Tenant } from '../harness/tenant.fixture.ts'
import type { WebhookHarness } from '../harness/webhook-harness.fixture.ts'

/** A running installation, its tenant, and two people who act for the operator. */
export type World = {
  readonly harness: WebhookHarness
  readonly tenant: Tenant
  /** The tenant's endpoint; its receiver refuses every event until it has `secret`. */
  readonly endpoint: { readonly id: string; readonly secret: string }
  readonly people: ReturnType<typeof peopleAt>
  readonly chain: TronDevnet
  readonly operatorUrl: string
  readonly mail: MailGateway
}

/** A mail gateway of the tenant's notices, which refuses them until it answers. */
export type MailGateway = { answers: boolean; readonly received: readonly TenantNoticeJson[] }

/** A cause of alerts, and how it ends without SQL. */
export type Cause = {
  readonly cause: string
  readonly codes: readonly string[]
  /** The time to the alerts, as the table of `docs/operations/alerts.md` states it. */
  readonly within: string
  /** Causes it. @returns the alerts' subject, unless another one is found by the code alone */
  readonly plant: (world: World) => Promise<string | undefined>
  /** Makes the requests of the command that ends it. @param subject  of the alerts */
  readonly end: (world: World, subject: string) => Promise<unknown>
  /** Nothing lasts, so the gateway gets no end. */
  readonly isOnce?: true
}

const reason = 'The statement of the day shows it.'
const evidence = { note: 'A letter of the network.', digest: 'ab'.repeat(32) }

/** Calls of the operator API by one person, and proposals that another one approves. */
export function peopleAt(operatorUrl: string) {
  const post = async (token: string, path: string, body?: unknown): Promise<{ readonly id: string }> => {
    // A worker may be querying the network about the payout.
    const { status, json } = await until(`${path} is not leased`, async () => {
      const reply = await operatorAt(operatorUrl, token).post(path, body)
      return JSON.stringify(reply.json)?.includes('PAYOUT_LEASED') ? undefined : reply
    })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
    return json as { id: string }
  }
  return {
    act: (path: string, body?: unknown) => post(approverToken, path, body),
    async agree(path: string, body: unknown): Promise<void> {
      const { id } = await post(approverToken, path, body)
      await post(operatorToken, `/proposals/${id}/approve`)
    },
  }
}

/** An account of the chain with tokens and TRX. */
export const chainSender = tronAddressFormat.format('5e'.repeat(20))

/** A payout of BOB 100.00. @returns its id */
async function pay({ harness, tenant }: World, scenario: Scenario, merchant?: string): Promise<string> {
  const { content } = harness.network.issueQr({ ...closedQr(scenario), merchant_name: merchant })
  return ((await tenant.pay(await tenant.order(content))).json as Payout).id
}

/** Lets the payout be 16 minutes older, which no trigger sees. */
const aged = (id: string): string => `
  begin; set local session_replication_role = replica;
  update quipu.payout set accepted_at = accepted_at - interval '16 min', leased_until = leased_until - interval '16 min'
  where id = '${id}'; commit`

/** A sweep of the deposits at the tenant's top-up address. */
async function sweep({ harness: { database }, chain, operatorUrl }: World) {
  const operator = sweepOperator({ chain, database }, { operatorUrl })
  const batch = await operator.plan()
  const [transfer] = await database.query<{ id: string }>('select id from quipu.sweep_transfer where batch_id = $1', [
    batch,
  ])
  return { operator, batch, id: transfer?.id }
}

/** The causes of alerts that one API and one worker can have at once, in the order in which they can be caused. */
export const causes: readonly Cause[] = [
  {
    cause: 'a payout hangs, and the network pays it later',
    codes: ['PROCESSING_TOO_LONG'],
    within: '15 minutes and the delay to the next status query',
    async plant(world) {
      const id = await pay(world, 'late_unsettled')
      await world.harness.database.query(aged(id))
      return id
    },
    async end({ harness, people }, id) {
      harness.network.settle(id, 'paid')
      await people.act(`/payouts/${id}/query`)
    },
  },
  {
    cause: 'the network pays another amount',
    codes: ['PAID_WRONG_AMOUNT'],
    within: '1 s after the network’s answer',
    plant: (world) => pay(world, 'wrong_amount'),
    end: ({ people }, id) =>
      people.agree(`/payouts/${id}/settle`, { outcome: 'completed', paid_amount: '101.00', reason, evidence }),
  },
  {
    cause: 'a webhook receiver is dead',
    codes: ['WEBHOOK_FAILING', 'WEBHOOK_PAUSED'],
    within: '`WEBHOOK_ALERT_SECONDS` and the delay to the next attempt; its fifth exhausted event',
    async plant(world) {
      await Promise.all(Array.from({ length: 5 }, () => pay(world, 'paid')))
      return world.endpoint.id
    },
    async end({ harness, people, endpoint }, id) {
      harness.receiver.secret = endpoint.secret
      await people.act(`/webhook-endpoints/${id}/resume`, {})
      await harness.receiver.untilArrived(5)
    },
  },
  {
    cause: 'the network refuses payments',
    codes: ['PAYOUTS_FAIL'],
    within: 'the tenth of twenty',
    async plant(world) {
      for (let each = 0; each < 10; each++) await pay(world, 'refused')
      return 'network'
    },
    end: async (world) => Promise.all(Array.from({ length: 10 }, () => pay(world, 'paid'))),
  },
  {
    cause: 'a sweep expires unsigned',
    codes: ['SWEEP_EXPIRED'],
    within: '`SWEEP_EXPIRES_HOURS` and 11 minutes',
    async plant(world) {
      const { chain, tenant } = world
      chain.transfer({ from: chainSender, to: await topUpAddressOf(tenant), value: 25_000_000n })
      chain.mine(6)
      await until('the deposit is credited', async () => {
        const { json } = await tenant.get('/v1/deposits?status=credited')
        return (json as { data: readonly unknown[] }).data[0]
      })
      const { id, operator, batch } = await sweep(world)
      chain.mine(1_300)
      await operator.untilEnded(batch)
      return id
    },
    end: async () => undefined,
    isOnce: true,
  },
  {
    cause: 'a signed sweep whose address has no TRX',
    codes: ['SWEEP_UNSENT'],
    within: '2 s after the import',
    async plant(world) {
      const { id, operator, batch } = await sweep(world)
      await operator.importSigned(batch, await operator.sign(batch))
      return id
    },
    async end({ harness, chain, tenant }) {
      chain.fund(await topUpAddressOf(tenant), { sun: 100_000_000n })
      await harness.database.query('update quipu.sweep_transfer set due_at = clock_timestamp() where ended_at is null')
    },
  },
  {
    cause: 'a tenant pays a listed merchant',
    codes: ['SCREENING_CASE'],
    within: '1 s after the reading of the QR',
    async plant(world) {
      await pay(world, 'paid', 'Comercio Listado')
      return undefined
    },
    end: ({ people }, id) => people.agree(`/screening-cases/${id}/decide`, { decision: 'cleared', reason, evidence }),
    isOnce: true,
  },
  {
    cause: 'the network lacks liquidity',
    codes: ['LIQUIDITY_LOW'],
    within: '`NETWORK_LIQUIDITY_SECONDS` and 5 s',
    async plant({ harness }) {
      harness.network.setBalance('999.99')
      return 'network'
    },
    async end({ harness }) {
      harness.network.setBalance('50000.00')
    },
  },
  {
    cause: 'a large deposit is in review',
    codes: ['REVIEWS_LARGE'],
    within: 'by their sum: 11 s',
    async plant({ chain, tenant }) {
      chain.transfer({ from: chainSender, to: await topUpAddressOf(tenant), value: 40_000_000n })
      chain.mine(6)
      return 'deposits'
    },
    async end({ tenant, people }) {
      const { json } = await tenant.get('/v1/deposits?status=in_review')
      const { data } = json as { data: readonly { readonly id: string }[] }
      await people.agree(`/deposits/${data[0]?.id}/close`, { reason })
    },
  },
  {
    cause: 'a mail gateway refuses notices',
    codes: ['NOTICES_BEHIND'],
    within: '`NOTICES_BEHIND_SECONDS` and 11 s',
    plant: async () => 'notices', // The notice of the tenant's key is due since the start.
    async end({ harness, mail }) {
      mail.answers = true
      await harness.database.query('update quipu.notice_cursor set due_at = clock_timestamp()')
      await until('the notice has arrived', () => mail.received[0])
    },
  },
  {
    cause: 'an operator stops payouts',
    codes: ['PAYOUTS_STOPPED'],
    within: '11 s',
    async plant({ people }) {
      await people.act('/payouts/stop', { reason })
      return 'payouts'
    },
    end: ({ people }) => people.agree('/payouts/start', { reason }),
  },
]
