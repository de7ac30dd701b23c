import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { usageError } from '../exit.ts'
import { readProfiles } from './profiles.ts'

/** A service, a key of it, and where both come from. */
export type Connection = {
  readonly url: string
  readonly key: string
  /** Such as `profile default`. */
  readonly source: string
}

export type ConnectionOptions = { readonly profile?: string; readonly url?: string }

type Env = Readonly<Record<string, string | undefined>>

/**
 * The service and the key of this command: of `--profile`; else of `--url` or `QUIPU_API_URL`, with
 * `QUIPU_API_KEY` or the key of a profile of that URL; else of the current profile; else of `start`.
 * A key goes to no other URL than its own.
 *
 * @throws CommandError when there is none
 */
export async function connectionOf(options: ConnectionOptions, env: Env): Promise<Connection> {
  const { current, profiles } = await readProfiles(env)
  const ofProfile = (name: string): Connection | undefined => {
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    return profile && { ...profile, source: `profile ${name}` }
  }
  if (options.profile !== undefined) {
    if (options.url !== undefined) throw usageError('--profile has a URL: leave --url out.')
    const found = ofProfile(options.profile)
    if (found) return found
    throw usageError(
      `There is no profile ${options.profile}: log in with \`quipu login --profile ${options.profile}\`.`,
    )
  }
  const url = (options.url ?? env['QUIPU_API_URL'])?.replace(/\/+$/, '')
  const key = env['QUIPU_API_KEY']
  if (url && key) return { url, key, source: 'QUIPU_API_KEY' }
  if (url) {
    const names = [...(current === undefined ? [] : [current]), ...Object.keys(profiles)]
    const name = names.find((each) => profiles[each]?.url === url)
    const found = name === undefined ? undefined : ofProfile(name)
    if (found) return found
    throw usageError(`No key for ${url}: log in with \`quipu login --url ${url}\`, or set QUIPU_API_KEY.`)
  }
  if (key) throw usageError('QUIPU_API_KEY is set, and no URL: set QUIPU_API_URL, or --url.')
  const found = (current === undefined ? undefined : ofProfile(current)) ?? (await localConnection(env))
  if (found) return found
  throw usageError('No service is named: log in with `quipu login --url URL`, or set QUIPU_API_URL and QUIPU_API_KEY.')
}

/** The file that `start` writes for programs on this machine. */
export type LocalFile = {
  readonly base_url: string
  readonly api_key: string
  readonly tron?: { readonly admin_url: string; readonly wallet: { readonly address: string } }
}

/** The `local.json` of the `start` in this folder. */
export async function readLocalFile(env: Env): Promise<LocalFile | undefined> {
  try {
    const file = path.join(env['QUIPU_DATA_DIR'] || '.quipu', 'local.json')
    return JSON.parse(await readFile(file, 'utf8')) as LocalFile
  } catch {
    return undefined
  }
}

async function localConnection(env: Env): Promise<Connection | undefined> {
  const local = await readLocalFile(env)
  return local && { url: local.base_url, key: local.api_key, source: '`start` in this folder' }
}

export type Environment = 'production' | 'sandbox' | 'example' | 'unknown'

const environments: Readonly<Record<string, Environment>> = { live: 'production', test: 'sandbox', mock: 'example' }

/** The prefix of a key names its environment. */
export const environmentOf = (key: string): Environment =>
  environments[/^[a-z0-9]+_([a-z]+)_/.exec(key)?.[1] ?? ''] ?? 'unknown'

/** A key as it may be shown: its prefix, and the last four characters of a long one. */
export function shownKey(key: string): string {
  const prefix = /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? ''
  return `${prefix}…${key.length - prefix.length >= 12 ? key.slice(-4) : ''}`
}
