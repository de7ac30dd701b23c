import { randomBytes } from 'node:crypto'
import { foundDifference } from '@quipu/contracts'
import { idSource } from '@quipu/core'
import { expect, test } from 'vitest'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { wronglyPaid } from '../harness/hanging-payout.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('each')
const ids = idSource(randomBytes)

/** A record of each kind that waits for a person. */
const records: Readonly<Record<string, () => Promise<string>>> = {
  'a deposit in review': async () => {
    const tenant = await api.tenant({ funds: 0n })
    await tenant.get('/v1/wallets')
    return (await depositMaker(api.stores, api.clock.now)({ tenantId: tenant.id, value: 500_000n })).id
  },
  'a payout that only an operator can settle': async () => (await wronglyPaid(api, await api.tenant())).id,
  'a difference': async () => {
    const found = foundDifference(ids, { subject: ids.next('po', api.clock.now()) })
    await api.stores.differences.record([found], api.clock.now())
    return found.id
  },
}

test.each(Object.keys(records))('%s is taken by one person, and is another’s after the release', async (kind) => {
  const id = (await records[kind]?.()) ?? ''
  const act = async (person: 'operators' | 'viewers', step: string, body?: object) => {
    const url = `${api.operatorUrl}/operator/v1/cases/${id}/${step}`
    const { status, code } = await sendRequest(url, 'POST', { token: person, body })
    return [status, code]
  }
  const taken_at = api.clock.now().toISOString()
  expect(await act('operators', 'take')).toEqual([200, undefined])
  expect((await api.operator('POST', `/operator/v1/cases/${id}/take`)).code).toBe('CASE_TAKEN')
  expect(await act('viewers', 'release')).toEqual([403, 'ROLE_REQUIRED'])
  expect(await act('operators', 'notes', { note: 'The bank answers on Monday.' })).toEqual([200, undefined])
  const { json } = await api.operator('GET', `/operator/v1/cases/${id}`)
  expect(json).toMatchObject({ id, taken_by: 'omar', taken_at, notes: [{ person: 'omar' }] })
  const list = await api.operator('GET', '/operator/v1/cases')
  expect(list.json.data).toEqual([{ id, taken_by: 'omar', taken_at }])
  expect(await act('operators', 'release')).toEqual([200, undefined])
  expect((await api.operator('POST', `/operator/v1/cases/${id}/take`)).json.taken_by).toBe('olivia')
  const audit = await api.stores.audit.list({ subject: id, limit: 5 })
  expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'case.take olivia',
    'case.release omar',
    'case.note omar',
    'operator.refuse victor',
    'case.take omar',
  ])
})
