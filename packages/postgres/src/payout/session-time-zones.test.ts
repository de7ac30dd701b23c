import { usdt } from '@quipu/core'
import { builders } from '@quipu/contracts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStores } from '../stores.ts'
import { asProcess, migratedDatabase } from '../test/stores.fixture.ts'

/** Stores over a database whose sessions have this time zone, with a clock that the test sets. */
async function storesIn(timeZone: string, clock: { now: Date }) {
  const { url, drop } = await migratedDatabase()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`alter database ${pg.escapeIdentifier(client.database ?? '')}
    set timezone = ${pg.escapeLiteral(timeZone)}`)
  await client.end()
  const stores = postgresStores({ url: asProcess(url), clockOverride: () => clock.now })
  onTestFinished(async () => {
    await stores.close()
    await drop()
  })
  return stores
}

// Their midnights are 10:00 and 12:00 UTC.
test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
  'daily limits begin at midnight UTC, in sessions of %s too',
  async (timeZone) => {
    const clock = { now: new Date('2026-04-01T00:00:00Z') }
    const stores = await storesIn(timeZone, clock)
    const { newWallet, newQuote, applyCommit } = builders(stores)
    const tenantId = await newWallet(usdt(100n), { dailyLimits: { amount: null, count: 1 } })
    const apply = async () =>
      stores.payouts.commit(applyCommit(await newQuote(tenantId, { source: usdt(1n) })))

    expect(await apply()).toBe('committed')
    for (const time of ['09:59:59', '10:00:00', '12:00:00', '23:59:59']) {
      clock.now = new Date(`2026-04-01T${time}Z`)
      expect(await apply(), time).toBe('daily_limit_exceeded')
    }
    clock.now = new Date('2026-04-02T00:00:00Z')
    expect((await stores.wallets.find(tenantId))?.usedToday.count).toBe(0)
    expect(await apply()).toBe('committed')
  },
)
