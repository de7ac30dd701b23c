import { sha256 } from '@quipu/core/adapter'
import type {
  PayoutStopJson,
  TenantJson,
  DifferenceJson,
  OperatorDeliveryJson,
  OperatorDepositJson,
  OperatorEndpointJson,
  OperatorTokenJson,
  ProposalJson,
  QrNetworkJson,
  QuotingReportJson,
  ReconciliationRunJson,
} from '@quipu/wire'
import { expect, test } from 'vitest'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { ConsoleSystem, Shown } from './console.fixture.ts'
import { keyboardOf } from './keyboard.fixture.ts'
import { openWithKeyboard, operatorReads } from './operator-reads.fixture.ts'
import type { ControlActs } from './seed-control.fixture.ts'
import { phone } from './site.fixture.ts'

/** The end of the next day whose digits are those of its month, so that a browser may write either first. */
function nextSameDigits(now: Date): Date {
  const tomorrow = now.getTime() + 86_400_000
  const ends = Array.from({ length: 13 }, (_, month) => {
    const [year, ofYear] = [now.getUTCFullYear() + Math.floor(month / 12), month % 12]
    return new Date(Date.UTC(year, ofYear, ofYear + 1, 23, 59, 59))
  })
  const next = ends.find((end) => end.getTime() > tomorrow)
  if (!next) throw new Error('no such day in thirteen months')
  return next
}

/** Decisions of operators, by keyboard alone. */
export function controlTests(system: () => ConsoleSystem): void {
  const { one, list } = operatorReads(() => system().api)
  const acts = (): ControlActs => system().seed.control.acts
  const open = (path: string, shown: Shown = {}) => openWithKeyboard(system(), path, { ...phone, ...shown })

  test.each([
    ['Credit', 'credited', 'credit_deposit'],
    ['Close the review', 'closed', 'close_deposit'],
  ] as const)('%s proposes it to another person', async (name, member, action) => {
    const id = acts()[member]
    const { press, type, shows, close } = await open(`/deposits/${id}`)
    await press(name)
    await type('reason', 'The sender wrote to us.')
    await press(name)
    await shows('Proposed: another person has to approve it')
    const data = await list<ProposalJson>(`/proposals?subject=${id}`)
    expect(data).toMatchObject([{ action, status: 'open', reason: 'The sender wrote to us.' }])
    await shows('The sender wrote to us.')
    await close()
  })

  test('a return is proposed with its address, transaction and evidence', async () => {
    const id = acts().returned
    const { press, type, attach, shows, close } = await open(`/deposits/${id}`)
    const returned = { to_address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', tx_hash: '5e'.repeat(32) }
    await press('Record a return')
    for (const [name, value] of Object.entries(returned)) await type(name, value)
    await type('reason', 'The sender is blocked.')
    await type('evidence.note', 'Block explorer.')
    await attach('File of the evidence', 'page')
    await press('Record a return')
    await shows('Proposed: another person has to approve it')
    expect(await list<ProposalJson>(`/proposals?subject=${id}`)).toMatchObject([
      { action: 'return_deposit', status: 'open', details: returned },
    ])
    await close()
  })

  test('the page of a deposit at a frozen address offers to retire the address', async () => {
    const { shows, page, close } = await open(`/deposits/${acts().closed}`)
    await shows('Why in review')
    expect(await page.getByRole('button', { name: 'Retire the top-up address' }).count()).toBe(0)
    await close()
    const id = acts().frozen
    const { address } = await one<OperatorDepositJson>(`/deposits/${id}`)
    const frozen = await open(`/deposits/${id}`)
    const tenant = await one<TenantJson>(`/tenants/${(await one<OperatorDepositJson>(`/deposits/${id}`)).tenant_id}`)
    await frozen.press('Retire the top-up address')
    await frozen.type('typed_name', tenant.legal_name)
    await frozen.press('Retire the top-up address')
    await frozen.shows(`Retired: ${address}`)
    await frozen.close()
  })

  test('the reviews shown of a tenant are closed by one proposal', async () => {
    const { tenant_id: tenant } = await one<OperatorDepositJson>(`/deposits/${acts().closed}`)
    const ofAll = await open('/deposits?status=in_review&open=true')
    await ofAll.shows('Filter by one tenant to close its reviews together.')
    await ofAll.close()
    const path = `/deposits?status=in_review&open=true&tenant_id=${tenant}`
    const ids = (await list<OperatorDepositJson>(path)).map(({ id }) => id)
    const { press, type, shows, close } = await open(path)
    const label = `Close the reviews shown: ${ids.length}`
    await press(label)
    await type('reason', 'Too small to credit.')
    await press(label)
    await shows('Proposed: another person has to approve it')
    const [proposal] = await list<ProposalJson>(`/proposals?action=close_deposits&subject=${tenant}`)
    expect(proposal).toMatchObject({ status: 'open', details: { deposit_ids: ids } })
    await close()
  })

  test('a proposal of another person is approved, an own one only withdrawn', async () => {
    const { proposal, ownProposal } = acts()
    const { press, shows, visit, page, close } = await open(`/proposals/${proposal}`)
    await press('Approve')
    await shows('Available now, USDT')
    await press('Approve')
    await shows('The proposal is now: Executed.')
    expect(await one<ProposalJson>(`/proposals/${proposal}`)).toMatchObject({
      status: 'executed',
      approved_by: 'olivia',
    })
    await visit(`/proposals/${ownProposal}`)
    expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
    await press('Withdraw')
    await press('Withdraw')
    await shows('The proposal is now: Withdrawn.')
    expect((await one<ProposalJson>(`/proposals/${ownProposal}`)).status).toBe('withdrawn')
    const waiting = (await list<ProposalJson>('/proposals?status=open')).filter((each) => each.proposed_by !== 'olivia')
    expect(await page.locator('nav .count [aria-hidden]').textContent()).toBe(String(waiting.length))
    await close()
  })

  test('an approved proposal that was not executed is executed', async () => {
    const { approved } = acts()
    const { press, shows, close } = await open(`/proposals/${approved}`, { role: 'operator' })
    await press('Execute')
    await press('Execute')
    await shows('The proposal is now: Executed.')
    expect((await one<ProposalJson>(`/proposals/${approved}`)).status).toBe('executed')
    await close()
  })

  test('an endpoint is paused and resumed, and a delivery is sent again', async () => {
    const { endpoint, delivery } = acts()
    const { press, type, shows, visit, close } = await open(`/endpoints/${endpoint}`)
    await press('Pause')
    await type('reason', 'Its owner asks us to stop.')
    await press('Pause')
    await shows('The endpoint is paused.')
    expect(await one<OperatorEndpointJson>(`/webhook-endpoints/${endpoint}`)).toMatchObject({
      status: 'paused',
      operator_pause: { by: 'olivia', reason: 'Its owner asks us to stop.' },
    })
    await press('Resume')
    await press('Resume')
    await shows(/The endpoint is active; \d+ deliveries are due/)
    expect((await one<OperatorEndpointJson>(`/webhook-endpoints/${endpoint}`)).status).toBe('active')
    await visit(`/deliveries/${delivery}`)
    await press('Send once more')
    await press('Send once more')
    await shows('The delivery is due again.')
    expect((await one<OperatorDeliveryJson>(`/webhook-deliveries/${delivery}`)).status).toBe('pending')
    await close()
  })

  test('a difference is booked by a proposal with its amount, and closed with a reason', async () => {
    const { drift, difference } = acts()
    const { press, type, shows, visit, close } = await open(`/differences/${drift}`)
    await press('Book by an adjustment')
    await type('reason', 'A row was changed by SQL.')
    await press('Book by an adjustment')
    await shows('Proposed: another person has to approve it')
    const [proposal] = await list<ProposalJson>('/proposals?status=open')
    expect(proposal?.details).toEqual({ direction: 'in', amount: '0.500000', difference_id: drift })
    await visit(`/differences/${difference}`)
    await press('Close')
    await type('reason', 'The network paid back.')
    await press('Close')
    await shows('The difference was closed.')
    expect(await one<DifferenceJson>(`/differences/${difference}`)).toMatchObject({
      status: 'closed',
      closed_by: 'olivia',
      close_reason: 'The network paid back.',
    })
    await close()
  })

  test('a reconciliation run is requested for a day of the network', async () => {
    const { press, type, shows, page, close } = await open('/reconciliation')
    await press('Request a run')
    await press('Request a run')
    await shows('is required for network')
    await type('check', 'Balances')
    await press('Request a run')
    await page.getByRole('heading', { name: 'Reconciliation run' }).waitFor()
    const run = await one<ReconciliationRunJson>(`/reconciliation-runs/${page.url().split('/').at(-1)}`)
    expect(run).toMatchObject({ check: 'chain', status: 'running', requested_by: 'olivia' })
    await close()
  })

  test('the whole audit log is verified, and an entry shows what has changed', async () => {
    const { press, shows, page, close } = await open('/audit', { role: 'auditor' })
    await press('Verify the chain')
    await shows(/intact up to its newest entry, \d+/)
    await page.locator('tbody summary').first().press('Enter')
    await shows('After')
    expect(await page.locator('details[open] .json').count()).toBeGreaterThan(0)
    await close()
  })

  test('an operator token is issued by its hash, and revoked', async () => {
    const { press, type, shows, close } = await open('/access')
    await press('Issue a token')
    await type('person', 'vera')
    await type('label', 'laptop')
    await type('role', 'viewer')
    await type('hash', sha256('the token of vera'))
    const expiresAt = nextSameDigits(new Date())
    const [year = '', digits = ''] = expiresAt.toISOString().split('-')
    await type('expires_at', `${digits}${digits}${year}`)
    await type('reason', 'She joins the team.')
    await press('Issue a token')
    await shows('The token works.')
    const tokens = () => list<OperatorTokenJson>('/operator-tokens')
    expect((await tokens())[0]).toMatchObject({ person: 'vera', role: 'viewer', expires_at: expiresAt.toISOString() })
    await shows('vera')
    await press('Revoke vera, laptop')
    await type('typed_name', 'vera')
    await press('Revoke')
    await shows('The token was revoked.')
    expect((await tokens())[0]?.revoked_by).toBe('olivia')
    await close()
  })

  test('a person revokes the own token, which ends the session', async () => {
    const token = 'veras-lost-token'
    const issued = await system().api.operator('POST', '/operator/v1/operator-tokens', {
      person: 'vera',
      label: 'lost',
      role: 'auditor',
      hash: sha256(token),
      expires_at: new Date(Date.now() + 864e5).toISOString(),
      reason: 'She joins the team.',
    })
    expect(issued.status).toBe(201)
    const opened = await system().open('/', { ...phone, role: null })
    const { visit, page, shows, close } = opened
    const { press, type } = keyboardOf(opened)
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visit('/access')
    await press('Revoke vera, lost')
    await type('typed_name', 'vera')
    await press('Revoke')
    await shows('The session has ended')
    const [revoked] = await list<OperatorTokenJson>('/operator-tokens')
    expect(revoked?.revoked_by).toBe('vera')
    await close()
  })

  test('one person stops payouts, every page says so, and another one starts them', async () => {
    const { press, type, shows, visit, flaws, close } = await open('/payouts')
    await press('Stop payouts')
    await type('reason', 'The network pays twice.')
    await press('Stop payouts')
    await shows('Payouts are stopped.') // Leaving the page before the answer ends the request.
    await visit('/rates')
    await shows('Payouts are stopped.')
    await shows('The network pays twice.')
    expect(await flaws()).toEqual([])
    await visit('/payouts')
    await press('Start payouts')
    await type('reason', 'It is repaired.')
    await press('Start payouts')
    await shows('Proposed: another person has to approve it')
    const [proposal] = await list<ProposalJson>('/proposals?status=open&action=start_payouts')
    const approval = `${system().api.api.operatorUrl}/operator/v1/proposals/${proposal?.id}/approve`
    expect((await sendRequest(approval, 'POST', { token: 'operators' })).status).toBe(200)
    expect(await one<PayoutStopJson>('/payouts/stop')).toMatchObject({ status: 'open' })
    await close()
  })

  test('an admin confirms a network', async () => {
    const { press, type, shows, close } = await open('/network', { role: 'admin' })
    const { identity } = await one<QrNetworkJson>('/network')
    await press('Confirm a network')
    await type('identity', identity ?? '')
    await type('reason', 'It came back without its ledger.')
    await press('Confirm a network')
    await shows('The network is confirmed.')
    expect(await one<QrNetworkJson>('/network')).toMatchObject({ identity, halts: [] })
    await close()
  })

  test('quoting is paused with a reason, and resumed', async () => {
    const { press, type, shows, close } = await open('/rates', { role: 'operator' })
    await press('Pause quoting')
    await type('reason', 'A source has halted.')
    await press('Pause quoting')
    await shows('Quoting is paused.')
    expect((await one<QuotingReportJson>('/rates')).quoting).toMatchObject({
      status: 'paused',
      changed_by: 'omar',
      reason: 'A source has halted.',
    })
    await press('Resume quoting')
    await press('Resume quoting')
    await shows('Quoting is open again.')
    expect((await one<QuotingReportJson>('/rates')).quoting.status).toBe('open')
    await close()
  })
}
