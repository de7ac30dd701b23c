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
 * The change is the setting's new value, or what is set before and after. A place is `function.argument.member`: of the
 * second call `function#1`, of a store `stores.payouts.claimDue.0`, of a loop `loop payouts.1`. It has the setting's new
 * value, or the one after `=`; `-` when it is gone. `function=-` is gone altogether, and `function=+` is there instead.
 * Between places is `;`, and `{a,b}.0` is `a.0; b.0`.
 */
export type Row = readonly [change: string | readonly [before: Env, after: Env], places: string]

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
  const indexes = Object.entries(wiring.rows).map(([name, [change]]): [string, number, number] => {
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
