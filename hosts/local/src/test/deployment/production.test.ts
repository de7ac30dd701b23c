import { expect, test } from 'vitest'
import { roleDatabase } from '../harness/database-role.fixture.ts'
import { run } from '../harness/process.fixture.ts'

const sources = ['https://one.example/usdt', 'https://two.example/usdt'].map((url) => ({ url, bid_path: 'bid' }))
/** All settings that production requires. A start connects only to the database. */
const production = {
  ENVIRONMENT: 'production',
  DATABASE_STANDBY: 'none',
  PORT: '0',
  OPERATOR_PORT: '0',
  QR_NETWORK_URL: 'https://network.example',
  QR_NETWORK_TOKEN: 'the-token-of-the-network',
  QR_NETWORK_CALLBACK_SECRET: '0123456789abcdef0123456789abcdef',
  RATE_SOURCE: 'composite',
  NETWORK_LIQUIDITY_FLOOR_BOB: '50000.00',
  RATE_SOURCES: JSON.stringify(sources),
  RATE_MIN: '8',
  RATE_MAX: '12',
}
const programs = { 'api/src/main.ts': 'api started', 'worker/src/main.ts': 'worker started' }

test('in production processes refuse weak settings and a superuser, and run as their own role', async () => {
  await using database = await roleDatabase()
  for (const [file, started] of Object.entries(programs)) {
    const weak = run(file, { ...production, DATABASE_URL: database.roleUrl, QR_NETWORK_TOKEN: 'y' })
    expect(await weak.ended).toBe(1)
    expect(weak.output()).toMatch(/^These settings cannot be used:\n {2}QR_NETWORK_TOKEN: /)

    const refused = run(file, { ...production, DATABASE_URL: database.url })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(/^DATABASE_URL: the role postgres has the rights of a superu/)

    const PRODUCTION_OVERRIDES = 'plain-http'
    const accepted = run(file, { ...production, PRODUCTION_OVERRIDES, DATABASE_URL: database.roleUrl })
    await accepted.untilOutput(new RegExp(started))
    for (const override of ['plain-http', 'DATABASE_STANDBY=none'])
      expect(accepted.output()).toContain(`"override":"${override}"`)
    await accepted.kill()
  }
})
