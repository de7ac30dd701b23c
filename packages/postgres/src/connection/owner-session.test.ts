import { Unavailable } from '@quipu/core'
import { makeOperatorToken } from '@quipu/core/operator'
import { systemClock, systemIds, systemRandom } from '@quipu/core/system'
import { expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { createProcessRole } from '../migration/process-role.ts'
import { bootstrapOperatorToken } from '../operator-token/bootstrap-operator-token.ts'
import { confirmRestore, declareRestore } from '../readiness/restore.ts'
import { nameStandbys, sql, startPair, untilWaiting } from '../test/standby-pair.fixture.ts'
import type { OwnerConnection } from './owner-session.ts'

const token = () => {
  const ports = { ids: systemIds, now: systemClock, random: systemRandom }
  const expiresAt = new Date(systemClock().getTime() + 86_400_000)
  return makeOperatorToken(ports, { person: 'rosa', label: 'test', role: 'admin', expiresAt }).issued
}

/** Commands that report their success to a person. */
const commands: Record<string, (owner: OwnerConnection) => Promise<unknown>> = {
  'restore declare': (owner) => declareRestore(owner, 'a test', new Date()),
  'restore confirm': (owner) => confirmRestore(owner, 'a test', new Date()),
  'token create': (owner) => bootstrapOperatorToken(owner, token()),
  'role create': (owner) => createProcessRole(owner, { name: 'quipu_rosa', password: 'secret' }),
  migrate: (owner) => migrate(owner),
}

const noStandby = 'no standby is required by the server'
const written = `
  select (select count(*) from quipu.audit_log) as entries, (select count(*) from quipu.operator_token) as tokens,
    (select count(*) from pg_roles) as roles`

test('where a standby is required and the server requires none, no command of the owner writes', async () => {
  const { pair } = await startPair()
  const owner = { connectionString: pair.address.urlFor('quipu'), isStandbyRequired: true }
  for (const run of Object.values(commands)) await run(owner)
  await nameStandbys(pair, '')
  const before = await sql(pair, written)
  for (const [name, run] of Object.entries(commands)) await expect(run(owner), name).rejects.toThrow(noStandby)
  expect(await sql(pair, written)).toEqual(before)
  for (const run of Object.values(commands)) await run(owner.connectionString)
})

test.each(['restore declare', 'token create', 'role create', 'migrate'])(
  '%s that waits for its standby when the setting is emptied has not succeeded',
  async (name) => {
    const { pair } = await startPair()
    pair.replication.stall()
    const owner = { connectionString: pair.address.urlFor('quipu'), isStandbyRequired: true }
    const running = commands[name]?.(owner)
    const outcome = Promise.resolve(running).catch((error: unknown) => error)
    await untilWaiting(pair)
    await nameStandbys(pair, '')
    expect(await outcome).toEqual(expect.objectContaining({ message: expect.stringContaining(noStandby) as string }))
    expect(await outcome).toBeInstanceOf(Unavailable)
  },
)
