import { newKey, credentialOf } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { plansWithin } from '../test/plans.fixture.ts'

/** Statements that the database refuses from every writer, and how a claim passes entries without a notice. */
const harness = useStoreHarness()

const refused = (text: string, why: RegExp) => expect(harness.sql(text)).rejects.toThrow(why)
const change = (to: string): string => `update quipu.notice_cursor set ${to}`
const issueKey = async () => {
  const key = newKey(harness, (await harness.newTenant()).id)
  expect(await harness.stores.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
  return key
}
const accept = async () => {
  const claimed = await harness.stores.notices.claim(60)
  if (claimed) await harness.stores.notices.accept(claimed.claim)
  return claimed?.source.entry?.subject
}

test('the cursor never goes back, and its row stays', async () => {
  await issueKey()
  for (let claims = 0; claims < 2; claims++) await accept()
  await refused(change('entry_id = entry_id - 1'), /cursor_only_advances/)
  await refused(change(`expiry = expiry - interval '1 s'`), /cursor_only_advances/)
  await refused(change(`claimed_entry = 1, claimed_key = 'x', claimed_expiry = now()`), /check/)
  await refused('delete from quipu.notice_cursor', /append-only/)
  await refused('truncate quipu.notice_cursor', /append-only/)
  await refused('insert into quipu.notice_cursor values (false, 0, now(), $$$$)', /check/)
})

test('a claim finds entries, keys and contacts by their indexes', async () => {
  await issueKey()
  const call = 'select * from quipu.claim_notice(60, null)'
  expect(await plansWithin(harness.stores.url, call, [])).toMatchObject({
    audit_log_pkey: 1,
    api_key_pkey: 1,
    audit_log_subject: 2,
    tenant_pkey: 1,
  })
  await accept()
  expect(await plansWithin(harness.stores.url, call, [])).toMatchObject({
    notice_cursor_pkey: 1,
    audit_log_pkey: 1,
    api_key_expiry: 3,
  })
})
