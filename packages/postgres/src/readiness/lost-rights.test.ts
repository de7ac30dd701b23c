import { Unavailable, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { openDatabase } from '../connection/database.ts'
import { openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { postgresStores } from '../stores.ts'
import { processRights } from './process-rights.ts'

const harness = useStoreHarness()

const right = 'usage on schema quipu'

test('a role that has lost its rights is unavailable and not ready, until it has them again', async () => {
  const { stores, sql, newWallet, newQuote, acceptCommit } = harness
  const tenantId = await newWallet(usdt(100n))
  const accept = acceptCommit(await newQuote(tenantId, { source: usdt(1n) }))
  await stores.wallets.find(tenantId)
  await sql(`revoke ${right} from quipu_process`)
  const late = postgresStores({ url: stores.processUrl })
  await expect(late.wallets.find(tenantId)).rejects.toThrow(Unavailable)
  await expect(late.payouts.commit(accept)).rejects.toThrow(Unavailable)
  await expect(late.ping()).rejects.toThrow(Unavailable)
  await sql(`grant ${right} to quipu_process`)
  await late.ping()
  expect(await late.payouts.commit(accept)).toBe('committed')
  await late.close()
})

test('a ping fails while a right is missing that no statement of its own needs', async () => {
  const { stores, sql } = harness
  const one = 'execute on function quipu.forget_rate_use(timestamptz)'
  await sql(`revoke ${one} from quipu_process`)
  const late = postgresStores({ url: stores.processUrl })
  await expect(late.ping()).rejects.toThrow('the role may not use function forget_rate_use: grant')
  await sql(`grant ${one} to quipu_process`)
  await late.ping()
  await late.close()
})

test('rights are looked up every few seconds, as prepared statements go on without them', async () => {
  const { stores, sql } = harness
  const database = openDatabase({ url: stores.processUrl })
  let now = 0
  const check = processRights(database, () => now)
  await check()
  for (const [revoked, named] of [
    [right, 'schema quipu'],
    ['select on table quipu.quoting', 'table quoting'],
  ]) {
    await sql(`revoke ${revoked} from quipu_process`)
    await check()
    now += 4_000
    await expect(check()).rejects.toThrow(`the role may not use ${named}: grant it`)
    await sql(`grant ${revoked} to quipu_process`)
    await check()
  }
  await database.close()
})

test('a transaction that the server ends because it lasts too long is unavailable', async () => {
  const { stores, newWallet } = harness
  const tenantId = await newWallet(usdt(100n))
  const limited = postgresStores({ url: `${stores.url}${query(stores.url)}options=${timeout}` })
  const blocking = await openTransaction(stores.url)
  await blocking.sql('lock table quipu.wallet in access exclusive mode')
  await expect(limited.wallets.find(tenantId)).rejects.toThrow(Unavailable)
  await blocking.commit()
  await limited.close()
})

const timeout = encodeURIComponent('-c transaction_timeout=200')
const query = (url: string): string => (url.includes('?') ? '&' : '?')
