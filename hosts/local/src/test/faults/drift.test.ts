import { expect, test } from 'vitest'
import { askJson, type JsonReply } from '../../ask-json.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { approverToken, operatorToken } from '../harness/tenant.fixture.ts'
import { alertAfter, learnedFrom } from './faults.fixture.ts'

const settings = { LEDGER_CHECK_SECONDS: '1' }
const reason = 'SQL of 20 November.'

type Difference = { readonly id: string; readonly subject: string }
type Proposal = { readonly id: string }

test('a drift is booked and reversed by two people, and the wallet balances afterwards', async () => {
  await using harness = await openPayoutHarness()
  const { query } = harness.database
  const api = await harness.startApi(settings)
  const learned = learnedFrom(api.operatorUrl)
  const worker = await harness.startWorker(settings)
  const [wallet] = await query<{ id: string; tenant_id: string }>('select * from quipu.wallet')
  const { id = '', tenant_id: tenantId = '' } = wallet ?? {}
  const by =
    (token: string) =>
    async (method: string, path: string, body?: unknown): Promise<JsonReply> =>
      askJson(api.operatorUrl, {
        method,
        path: `/operator/v1${path}`,
        body,
        headers: { authorization: `Bearer ${token}` },
      })
  const [olivia, otto] = [by(operatorToken), by(approverToken)]
  const propose = async (direction: string, amount: string, more = {}): Promise<Proposal> => {
    const body = { direction, amount, reason, ...more }
    return (await olivia('POST', `/tenants/${tenantId}/adjustments`, body)).json as Proposal
  }
  const approve = async ({ id }: Proposal): Promise<unknown> => (await otto('POST', `/proposals/${id}/approve`)).json
  const books = async () => (await api.get('/v1/wallets/reconciliation')).json
  const before = await books()
  expect(before).toMatchObject({ balanced: true })

  const tamper = () => query('update quipu.wallet set available = available + 40000000')
  await alertAfter('a drift', tamper, worker, { alert: 'LEDGER_DIFFERENCE', subject: id })
  const { data } = (await olivia('GET', '/differences')).json as { data: Difference[] }
  const difference = data.find(({ subject }) => subject === id)?.id ?? ''
  await api.pay(await harness.order(api)) // Money moves on meanwhile.
  expect(await books()).toMatchObject({ balanced: false })

  const wrong = await approve(await propose('in', '39.99', { difference_id: difference }))
  expect(wrong).toMatchObject({ status: 'failed', failure: 'DIFFERENCE_NOT_OPEN' })
  const [booking, second] = [
    await propose('in', '40.00', { difference_id: difference }),
    await propose('in', '40.00', { difference_id: difference }),
  ]
  expect(await olivia('POST', `/proposals/${booking.id}/approve`)).toMatchObject({ status: 403 })
  expect(await approve(booking)).toMatchObject({ status: 'executed' })
  expect(await books()).toMatchObject({ balanced: true })
  expect(await approve(second)).toMatchObject({ failure: 'DIFFERENCE_NOT_OPEN' })
  expect(await approve(await propose('out', '40.00'))).toMatchObject({ status: 'executed' })

  expect(await books()).toMatchObject({ balanced: true })
  const { available } = (await api.get('/v1/wallets')).json as { available: string }
  expect(available).toBe('989.796647')
  await learned.untilMetric('quipu_ledger_drift_micro_usdt', (value) => value === 0)
  await until('the wallet was checked since', async () => {
    const [row] = await query(
      `select from quipu.ledger_check c join quipu.wallet w using (tenant_id)
       where (c.checked).seq = w.seq and c.rechecked_at > w.logged_at`,
    )
    return row
  })
  const open = await learned.differences()
  // The payout of the meantime was logged with the balance that SQL had written.
  expect(open.every((each) => each.startsWith('log '))).toBe(true)
})
