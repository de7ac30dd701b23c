import { expect, test } from 'vitest'
import { adminWith } from '../harness/admin.fixture.ts'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { operatorToken, type Payout, type Tenant } from '../harness/tenant.fixture.ts'
import { alertAbout, operatorAt, type RunJson } from './reconciliation.fixture.ts'

const hourMs = 3_600_000
const soon = { RECONCILIATION_SETTLE_SECONDS: '1', RECONCILIATION_LEASE_SECONDS: '3' }

async function paid(harness: PayoutHarness, tenant: Tenant, status = 'completed'): Promise<string> {
  const scenario = status === 'completed' ? 'paid' : 'refused'
  const { json } = await tenant.pay(await harness.order(tenant, scenario))
  expect(json).toMatchObject({ status })
  return (json as Payout).id
}

const adminAt = ({ operatorUrl }: { readonly operatorUrl: string }) =>
  adminWith({ QUIPU_OPERATOR_URL: operatorUrl, QUIPU_OPERATOR_TOKEN: operatorToken })

/** The payments so far, as soon as they have settled. */
const request = async (operator: ReturnType<typeof operatorAt>): Promise<RunJson> => {
  const end = Date.now() + 1 // The end is not part of the period, and a payment may be of this millisecond.
  const period = { from: new Date(end - hourMs), to: new Date(end) }
  return until('the payments have settled', async () => {
    const { status, json } = await operator.post('/reconciliation-runs', { check: 'network', ...period })
    return status === 202 && (json as RunJson)
  })
}

test('each fault of the statement is a difference and an alert', async () => {
  await using harness = await openPayoutHarness()
  const { network } = harness
  const api = await harness.startApi(soon)
  const operator = operatorAt(api.operatorUrl)
  const worker = await harness.startWorker(soon)
  const [right, missing, other, doubled] = [
    await paid(harness, api),
    await paid(harness, api),
    await paid(harness, api),
    await paid(harness, api),
  ]
  const refused = await paid(harness, api, 'failed')
  network.settle(refused, 'paid', true)
  expect(await alertAbout(worker, refused, /^failed, then paid$/)).toMatchObject({ alert: 'NETWORK_CONTRADICTS' })
  const paidAt = new Date()
  const line = {
    reference: doubled,
    network_ref: '1',
    network_payment_id: 'another',
    amount: '100.00',
    paid_at: paidAt.toISOString(),
    state: 'paid' as const,
  }
  await network.setFaults({
    statement: {
      omit: [missing],
      amounts: { [other]: '99.00' },
      add: [line, { ...line, reference: 'po_of_nobody', network_payment_id: 'np' }],
    },
  })

  const { id } = await request(operator)

  const alerts = [
    [missing, /the statement has no payment for it/],
    [other, /paid 99\.00 BOB .*the payout is of 100\.00 BOB/],
    [doubled, /payment another.*an earlier line has the same reference/],
    [refused, /the payout is failed/],
    ['po_of_nobody', /no payout has this reference/],
  ] as const
  for (const [subject, detail] of alerts)
    expect(await alertAbout(worker, subject, detail)).toMatchObject({ alert: 'NETWORK_DIFFERENCE' })
  const differences = await operator.differences('network')
  expect(differences.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(
    [
      `absent_there ${missing}`,
      `other_amount ${other}`,
      `paid_twice ${doubled}`,
      `not_completed ${refused}`,
      `contradicts ${refused}`, // Of the callback, not of the run.
      'unknown_here po_of_nobody',
    ].toSorted(),
  )
  expect(differences.map(({ subject }) => subject)).not.toContain(right)
  expect(await operator.completed(id)).toMatchObject({ compared: 6, differences: 5 })
  const shown = await adminAt(api).run('reconcile', '--run', id)
  expect(shown.code).toBe(4)
  for (const { kind, subject } of differences.filter((each) => each.kind !== 'contradicts'))
    expect(shown.output).toMatch(new RegExp(`^dif_\\w+ +${kind} +${subject} `, 'm'))
  expect(shown.output).toMatch(/^Compared 6 \(network, .*\); open differences: 5\./m)
})
