import { expect, test } from 'vitest'
import { auditEntries } from '@quipu/contracts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'

const api = useTestApi('each')

const runs = '/operator/v1/reconciliation-runs'
const as = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  sendRequest(api.operatorUrl + path, method, { token, body })
const day = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00-04:00' }

test('an operator requests runs, and a viewer reads them', async () => {
  const network = await as('operators', 'POST', runs, { check: 'network', ...day })
  expect(network.status).toBe(202)
  expect(network.json).toMatchObject({
    check: 'network',
    status: 'running',
    reached: '2026-03-01T00:00:00.000Z',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T04:00:00.000Z',
    slices: 0,
    compared: 0,
    differences: 0,
    failure: null,
    completed_at: null,
    requested_by: 'omar',
    scheduled_for: null,
  })
  const chain = await as('operators', 'POST', runs, { check: 'chain' })
  expect(chain.json).toMatchObject({ check: 'chain', from: null, to: null, reached: '0' })
  const { id } = network.json
  expect((await as('viewers', 'GET', `${runs}/${id}`)).json).toEqual(network.json)
  const ids = async (query: string) =>
    (await as('viewers', 'GET', `${runs}?${query}`)).json.data.map((run: { readonly id: string }) => run.id)
  expect(new Set(await ids(''))).toEqual(new Set([id, chain.json.id]))
  expect(await ids('check=network&status=running')).toEqual([id])
  expect(await ids('status=completed')).toEqual([])
  const entries = await auditEntries(api.stores.audit, { subject: id, limit: 10 })
  expect(entries).toMatchObject([{ actor: 'omar', action: 'reconciliation.request' }])
})

test('shows the progress of a run', async () => {
  const { id } = (await as('operators', 'POST', runs, { check: 'network', ...day })).json
  const claimed = await api.stores.reconciliations.claimDue(['network'], 60)
  const slice = { position: Date.parse('2026-03-01T00:30:00Z'), isLast: false }
  if (claimed === undefined) throw new Error('no run is due')
  const counts = { compared: 12, differences: 1 }
  await api.stores.reconciliations.advance(claimed.claim, { ...slice, ...counts }, new Date(0))
  expect((await as('viewers', 'GET', `${runs}/${id}`)).json).toMatchObject({
    reached: '2026-03-01T00:30:00.000Z',
    slices: 1,
    ...counts,
    status: 'running',
  })
})
