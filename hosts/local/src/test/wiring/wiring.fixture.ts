import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import type { Leaf } from './recorder.fixture.ts'

/** Environment variables; null removes one. */
export type Env = Readonly<Record<string, string | null>>

/**
 * A setting that changes, and every place that changes with it.
 *
 * The change is the setting's new value, that of `values` by default, or what is set before and after. A place is `function.argument.member`: of the
 * second call `function#1`, of a store `stores.payouts.claimDue.0`, of a loop `loop payouts.1`. It has the setting's new
 * value, or the one after `=`; `-` when it is gone. `function=-` is gone altogether, and `function=+` is there instead.
 * Between places is `;`, and `{a,b}.0` is `a.0; b.0`.
 */
export type Row = string | readonly [change: string | readonly [before: Env, after: Env], places: string]

/** The new values of the settings whose rows are places alone. */
const values: Readonly<Record<string, string>> = {
  ADDRESS_MAC_KEY: '28fbd2e412ee35a7dd1b2f23ba1552799b800c0c2c403e4eb133a9088319cd8f',
  APPROVAL_LIMIT_CAP_BOB: '1',
  APPROVAL_LIMIT_DAILY_USDT: '1',
  AUDIT_CHECKPOINT_KEY: 'aae63b6e7a2bb2fb41ecada92e907a827518566cf9821b778d63df426f47de86',
  CHAIN_WORK_LEASE_SECONDS: '61',
  DATABASE_URL: 'postgres://quipu_app@127.0.0.1:2/quipu',
  EXAMPLE_URL: 'https://example.example',
  FAUCET_PRIVATE_KEY: 'b40d21ecbd77d4e94a9b2e17b5f53de89f103819a21fabbbccdec6e4b7207699',
  NETWORK_LIQUIDITY_FLOOR_BOB: '1.00',
  PROPOSAL_LIFE_SECONDS: '259201',
  QR_NETWORK_CALLBACK_SECRET: '10f1e0dc4bb7bbb861d3b91102f83853e7ed274e450a20a4d3f81afd5c0f6423',
  RATE_FAULT_SECONDS: '61',
  RATE_LIMIT_IPV6_PREFIX: '63',
  RATE_SOURCES: '[{"url": "https://c.example/", "bid_path": "bid"}, {"url": "https://d.example/", "bid_path": "bid"}]',
  RECONCILIATION_LEASE_SECONDS: '301',
  RECONCILIATION_SETTLE_SECONDS: '3601',
  REQUEST_LEASE_SECONDS: '18',
  SWEEP_TREASURY_ADDRESS: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  TENANT_NOTICE_SECRET: '279878bb5a769a10360d08c0d003fa6e0b8a7a020da056d907c096c60afe54ab',
  TRON_BLOCKED_ADDRESSES: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  TRON_GENESIS_BLOCK: 'nile',
  TRON_SERVICE_ADDRESSES: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  TRON_TOKEN_CONTRACT: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  TRON_XPUB:
    'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd',
  WEBHOOK_CATCH_UP_PER_SECOND: '51',
  WEBHOOK_CONCURRENCY: '601',
  WEBHOOK_DELIVERY: 'off',
  WEBHOOK_HEADER_PREFIX: 'X-Other-',
  WEBHOOK_LEASE_SECONDS: '31',
  WEBHOOK_PER_ENDPOINT: '9',
  WEBHOOK_PER_TENANT: '33',
  WEBHOOK_SOURCE_ADDRESSES: '192.0.2.1, 2001:db8::/32',
}

/** The change and the places of a setting. */
export const changeOf = (name: string, row: Row): Exclude<Row, string> =>
  typeof row === 'string' ? [values[name] ?? '', row] : row

/** The places of a row, sorted. */
export const placesOf = (text: string): readonly string[] =>
  text
    .split(';')
    .flatMap((place) => expanded(place.trim()))
    .filter((place) => place !== '')
    .toSorted()

function expanded(place: string): readonly string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(place) ?? []
  return choices?.split(',').flatMap((choice) => expanded(before + choice.trim() + after)) ?? [place]
}

export type Wiring = {
  /** The program, and its arguments. */
  readonly program: readonly string[]
  readonly schema: z.ZodObject
  /** Settings that switch everything on. */
  readonly base: Env
  /** One for each setting of the schema. */
  readonly rows: Readonly<Record<string, Row>>
  /** The loops that the program starts, by name; none by default. */
  readonly loops?: readonly string[]
  /** The clocks of the members `now`; the database’s by default. */
  readonly clocks?: readonly Leaf[]
  /** Where the value of each maker goes, in the form of a row, where another value has the same type; none by default. */
  readonly ports?: Readonly<Record<string, string>>
}

/** The settings of the base without which the program starts as well. */
const optionalOf = ({ base, schema, rows }: Wiring): readonly string[] =>
  Object.keys(base).filter((name) => {
    const { success, data } = schema.safeParse(without(base, name))
    return name in rows && success && data[name] === undefined
  })

const without = (env: Env, name: string): Env => Object.fromEntries(Object.entries(env).filter(([key]) => key !== name))

/** Every place of a composition. */
export type Composition = Readonly<Record<string, Leaf>>

/** Composes the host with each of the environments, in one process. */
async function composeEach({ program }: Wiring, envs: readonly Env[]): Promise<readonly Composition[]> {
  const composer = path.join(import.meta.dirname, 'compose.fixture.ts')
  const child = spawn(process.execPath, ['--conditions=source', composer, ...program])
  const set = envs.map((env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== null)))
  child.stdin.end(JSON.stringify(set))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (errors !== '' || output === '') throw new Error(`${program.join(' ')} was not composed: ${errors}`)
  return JSON.parse(output) as readonly Composition[]
}

export type Composed = {
  readonly base: Composition
  /** By setting: what its row composes before and after the change. */
  readonly rows: ReadonlyMap<string, readonly [before: Composition, after: Composition]>
  /** By optional setting of the base: what is composed when it is left out. */
  readonly unset: ReadonlyMap<string, Composition>
}

/** Composes the host with its base, before and after the change of each row, and without each optional setting. */
export async function composeRows(wiring: Wiring): Promise<Composed> {
  const { base } = wiring
  const envs: Env[] = [base]
  const indexes = Object.entries(wiring.rows).map(([name, row]): [string, number, number] => {
    const [change] = changeOf(name, row)
    const [before, after] = typeof change === 'string' ? [{}, { [name]: change }] : change
    const old = Object.keys(before).length === 0 ? 0 : envs.push({ ...base, ...before }) - 1
    return [name, old, envs.push({ ...base, ...before, ...after }) - 1]
  })
  const left = optionalOf(wiring).map((name): [string, number] => [name, envs.push({ ...base, [name]: null }) - 1])
  const all = await composeEach(wiring, envs)
  const at = (index: number): Composition => all[index] ?? {}
  return {
    base: at(0),
    rows: new Map(indexes.map(([name, old, now]) => [name, [at(old), at(now)]])),
    unset: new Map(left.map(([name, index]) => [name, at(index)])),
  }
}

/** The changed values, as the places of a row. @param value  the new value of the setting */
export function differences(before: Composition, after: Composition, value: string | undefined): readonly string[] {
  const [old, now] = [callsOf(before), callsOf(after)]
  const places = Object.keys({ ...before, ...after }).filter(
    // The day of a daily task is that of the run in the zone, and which one claims first differs.
    (place) => before[place] !== after[place] && !/^stores\.dailyTasks\.|^digestToJson\.0$/.test(place),
  )
  const found = places.map((place) => {
    for (const part of [functionOf(place), callOf(place)]) {
      if (!now.has(part)) return `${part}=-`
      if (!old.has(part)) return `${part}=+`
    }
    const leaf = after[place]
    return leaf === undefined ? `${place}=-` : String(leaf) === value ? place : `${place}=${leaf}`
  })
  return Array.from(new Set(found)).toSorted()
}

const callsOf = (composition: Composition): ReadonlySet<string> =>
  new Set(Object.keys(composition).flatMap((place) => [functionOf(place), callOf(place)]))

/** `stores.payouts.claimDue#1` of a place. */
const callOf = (place: string): string =>
  /^(?:loop \w+|stores\.\w+\.[\w#]+|listener\.stop[#\d]*|[\w#]+)/.exec(place)?.[0] ?? place

const functionOf = (place: string): string => callOf(place).replace(/#\d+$/, '')

/** The values of all members of this name. */
export const makersOf = (composition: Composition, name: RegExp): readonly Leaf[] =>
  Array.from(new Set(Object.entries(composition).flatMap(([place, leaf]) => (name.test(place) ? [leaf] : []))))

/** The calls whose results were not ended when the program had stopped. */
export const unendedOf = (composition: Composition): readonly string[] =>
  Object.keys(composition).filter((place) => place.endsWith('.end') && composition[place] !== true)

/** The names of the loops that have started. */
export const loopsOf = (composition: Composition): readonly string[] =>
  Object.keys(composition).flatMap((place) => /^loop (\w+)\.end$/.exec(place)?.[1] ?? [])
