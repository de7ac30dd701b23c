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
/** Extended public key of a published test mnemonic. */
const xpub =
  'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX'
const programs = { 'api/src/main.ts': 'api started', 'worker/src/main.ts': 'worker started' }

test('in production processes refuse weak settings and name each of them', async () => {
  const weak = {
    DATABASE_URL: 'postgres://127.0.0.1:1/nobody',
    DATABASE_STANDBY: '',
    QR_NETWORK_URL: 'http://network.example',
    QR_NETWORK_TOKEN: 'y',
    QR_NETWORK_CALLBACK_SECRET: 'x',
    WEBHOOK_SECRET_KEY: '0'.repeat(64),
    RATE_SOURCES: JSON.stringify([sources[0], sources[0]]),
    RATE_MAX: '',
    APPROVAL_LIMIT_USDT: '999999999999',
    RATE_LIMIT_WRITES: 'off',
    OPERATOR_HOST: '0.0.0.0',
  }
  const shared = ['QR_NETWORK_URL', 'WEBHOOK_SECRET_KEY', 'QR_NETWORK_TOKEN']
  const expected = {
    'worker/src/main.ts': ['DATABASE_STANDBY', 'TRON_VERIFIER_URL', ...shared],
    'api/src/main.ts': [
      'DATABASE_STANDBY',
      ...shared,
      'RATE_SOURCES',
      'RATE_MAX',
      'RATE_LIMIT_WRITES',
      'OPERATOR_HOST',
      'QR_NETWORK_CALLBACK_SECRET',
      'APPROVAL_LIMIT_USDT',
    ],
  }
  const unverified = {
    TRON_NODE_URL: 'https://node.example',
    TRON_TOKEN_CONTRACT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    TRON_GENESIS_BLOCK: 'mainnet',
    TRON_XPUB: xpub,
    ADDRESS_MAC_KEY: '00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef',
  }
  for (const [file, variables] of Object.entries(expected)) {
    const program = run(file, { ...production, ...weak, ...unverified })
    expect(await program.ended).toBe(1)
    const [title, ...lines] = program.output().trimEnd().split('\n')
    expect(title).toBe('These settings cannot be used:')
    expect(lines.map((line) => line.trim().split(':')[0])).toEqual(variables)
  }
})

test('in production processes refuse a superuser and run as their own role', async () => {
  await using database = await roleDatabase()
  for (const [file, started] of Object.entries(programs)) {
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
