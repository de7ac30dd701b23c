import { readFileSync } from 'node:fs'
import { credentialOf } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** The rights of the processes' role with each function that it may execute. */
type Executable = {
  readonly name: string
  /** The names of the parameters, and their types. */
  readonly parameters: readonly (readonly [name: string, type: string])[]
}

const harness = useStoreHarness()
let thief: pg.Client
let functions: readonly Executable[]
beforeAll(async () => {
  await harness.newWallet(usdt(7n))
  thief = new pg.Client(harness.stores.processUrl)
  await thief.connect()
  await thief.query(`set statement_timeout = '2s'`) // Some read without an end when a bound is null.
  const rows = await harness.sql(`
    select p.proname as name, p.pronargs as count, coalesce(p.proargnames, '{}') as names,
      coalesce(p.proargmodes::text[], '{}') as modes,
      array(select format_type(t.type, null) from unnest(p.proargtypes) with ordinality t (type, n) order by n) as types
    from pg_proc p
    where p.pronamespace = 'quipu'::regnamespace and has_function_privilege('quipu_process', p.oid, 'execute')`)
  functions = rows.map((row) => {
    const modes = row['modes'] as readonly string[]
    const names = (row['names'] as readonly string[]).filter((_, n) =>
      modes.length === 0 ? n < Number(row['count']) : modes[n] === 'i' || modes[n] === 'b',
    )
    const types = row['types'] as readonly string[]
    return { name: String(row['name']), parameters: types.map((type, n) => [names[n] ?? '', type] as const) }
  })
})
afterAll(async () => {
  await thief.end()
})

const unknown = JSON.stringify({ token_hash: 'ab'.repeat(32) })

/** A call with these arguments by name, and null for the others. */
const callOf = ({ name, parameters }: Executable, given: Record<string, string>): string =>
  `select quipu.${name}(${parameters
    .map(([parameter, type]) => `${given[parameter] ?? 'null'}::${type}`)
    .join(', ')})::text as result`

/** Decisions of people, and money: no call below changes any of it. */
const decided = `select jsonb_build_object(
  'audit', (select count(*) from quipu.audit_log), 'tokens', (select jsonb_agg(to_jsonb(t)) from quipu.operator_token t),
  'tenants', (select jsonb_agg(to_jsonb(t)) from quipu.tenant t), 'keys', (select count(*) from quipu.api_key),
  'wallets', (select jsonb_agg(to_jsonb(w)) from quipu.wallet w), 'proposals', (select count(*) from quipu.proposal),
  'quoting', (select jsonb_agg(to_jsonb(q)) from quipu.quoting q), 'differences', (select count(*) from quipu.difference),
  'entries', (select count(*) from quipu.funding_entry), 'payouts', (select count(*) from quipu.payout),
  'requests', (select count(*) from quipu.operator_request), 'batches', (select count(*) from quipu.sweep_batch),
  'runs', (select count(*) from quipu.reconciliation_run), 'sessions', (select count(*) from quipu.console_session), 'factors', (select count(*) from quipu.second_factor),
  'networks', (select count(*) from quipu.network_confirmation where actor is not null))::text as state`
const state = async () => (await harness.sql(decided))[0]?.['state']

const peopleByRole = { vic: 'viewer', aud: 'auditor', ana: 'operator', ada: 'admin' } as const
const everyone = Object.values(peopleByRole).join(' ')
const toBy = (person: string) => ({ token_hash: credentialOf(person).tokenHash, address: '192.0.2.7' })

const isForPeople = ({ parameters }: Executable): boolean =>
  parameters.some(([name, type]) => name === 'by' && type === 'jsonb')

/** Arguments that these functions look at before the token, as SQL. */
const others = { at: 'now()', moment: 'now()', question: `'status'`, request_key: `'k'` }

/** The answers of functions for people to a token that nobody has. */
const refusals: Readonly<Record<string, RegExp>> = {
  record_refusal: /^false$/,
  claim_second_factor: /^\(unauthorized,\)$/,
  remember_request: /^\(,\)$/,
}

test('every function that acts for a person refuses a token that nobody has, and writes nothing', async () => {
  const before = await state()
  const forPeople = functions.filter(isForPeople)
  expect(forPeople.length).toBeGreaterThan(20)
  for (const each of forPeople) {
    const given = { by: `'${unknown}'`, ...others }
    const { rows } = await thief.query<{ result: string }>(callOf(each, given))
    expect(rows[0]?.result, each.name).toMatch(refusals[each.name] ?? /unauthorized/)
  }
  expect(await state()).toBe(before)
})

/** Whether the function takes the token of this person. What it writes is rolled back. */
async function isTaken(each: Executable, person: string): Promise<boolean> {
  const given = { by: `'${JSON.stringify(toBy(person))}'`, ...others }
  await thief.query('begin')
  try {
    const { rows } = await thief.query<{ result: string }>(callOf(each, given))
    return !(refusals[each.name] ?? /unauthorized/).test(rows[0]?.result ?? '')
  } catch (error) {
    expect(error, each.name).toBeInstanceOf(pg.DatabaseError) // It goes on, to an argument that is null.
    return true
  } finally {
    await thief.query('rollback')
  }
}

test('every function that acts for a person takes the tokens of its roles alone', async () => {
  const taken: Record<string, string> = {}
  for (const each of functions.filter(isForPeople)) {
    const people = []
    for (const [person, role] of Object.entries(peopleByRole)) if (await isTaken(each, person)) people.push(role)
    if (people.length !== 2 || people[0] !== 'operator') taken[each.name] = people.join(' ')
  }
  // The others take `operator` and `admin`. Some look at their arguments, too.
  expect(taken).toEqual({
    claim_second_factor: everyone,
    confirm_second_factor: everyone,
    end_session_of: everyone,
    enrol_second_factor: everyone,
    open_console_session: everyone,
    record_export: everyone,
    record_look_up: everyone,
    record_refusal: everyone,
    revoke_operator_token: everyone,
    issue_operator_token: 'admin',
    remove_second_factor: 'admin',
    propose_operator_token: 'admin',
    propose_api_key: 'admin',
    set_allowed_addresses: 'admin',
    plan_sweep: 'admin',
    confirm_network: 'admin',
    erase_contact: 'admin',
  })
})

test('no other function takes a person', () => {
  const persons = functions.filter(
    (each) =>
      !isForPeople(each) &&
      each.parameters.some(([name]) => ['actor', 'operator', 'requester', 'person'].includes(name)),
  )
  // Two execute what an approved proposal says, in the name of who proposed it; the renewal writes a secret that only
  // the key's holder can read; the last needs a MAC.
  const names = ['close_reviews', 'decide_payout', 'renew_second_factor', 'sign_in']
  expect(persons.map(({ name }) => name)).toEqual(names)
})

/** The functions in the first column of the table of security.md, each with the text of its row. */
function documented(): ReadonlyMap<string, string> {
  const file = new URL('../../../../docs/security.md', import.meta.url)
  const [, section = ''] = readFileSync(file, 'utf8').split('### What each function allows\n')
  const rows = section.split('\n### ')[0]?.match(/^\| `.*$/gm) ?? []
  return new Map(
    rows.flatMap((row) => {
      const [, names = '', ...rest] = row.split(' | ').join('|').split('|')
      return Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => [name, rest.join('|')])
    }),
  )
}

test('security.md says of each function what the role can do with it', () => {
  const others = functions.filter((each) => !isForPeople(each)).map(({ name }) => name)
  expect([...documented().keys()].toSorted()).toEqual([...new Set(others)].toSorted())
})

test('without arguments, or with what the role can read, no function moves money or acts for a person', async () => {
  const before = await state()
  for (const each of functions.filter((one) => !isForPeople(one))) {
    await thief.query('begin')
    const given: Record<string, string> = { at: 'now()', lease_seconds: '60', limit_: '10' }
    await thief.query(callOf(each, given)).catch((error: unknown) => {
      expect(error, each.name).toBeInstanceOf(pg.DatabaseError)
    })
    await thief.query('commit')
  }
  expect(await state()).toBe(before)
})

test('no function keeps work from the others for longer than a day', async () => {
  const isDelay = ([name]: readonly [name: string, type: string]) => name === 'lease_seconds' || name === 'due_seconds'
  const claiming = functions.filter((each) => !isForPeople(each) && each.parameters.some(isDelay))
  expect(claiming.length).toBeGreaterThan(14)
  for (const each of claiming)
    for (const seconds of ['86401', '-1', `'NaN'`, 'null']) {
      const call = callOf(each, { at: 'now()', lease_seconds: seconds, due_seconds: seconds })
      await expect(thief.query(call), `${each.name} ${seconds}`).rejects.toThrow('work cannot be kept for')
    }
})

test('instants of entries are those of the database’s clock', async () => {
  await harness.sql('delete from quipu.test_clock')
  const at = `(now() - interval '11 minutes')`
  for (const each of functions.filter(isForPeople)) {
    const call = callOf(each, { by: `'${unknown}'`, at, question: `'status'`, request_key: `'k'` })
    await expect(thief.query(call), each.name).rejects.toThrow(/not that of the database/)
  }
  await expect(
    thief.query(`select quipu.record_failed_logins('192.0.2.1', now() + interval '11 minutes', 1)`),
  ).rejects.toThrow(/not that of the database/)
  await harness.sql('insert into quipu.test_clock default values')
})
