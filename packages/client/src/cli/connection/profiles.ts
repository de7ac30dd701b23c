import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { usageError } from '../exit.ts'

/** A service, and a key of it. */
export type Profile = { readonly url: string; readonly key: string }

export type Profiles = {
  /** The profile that is used when none is named. */
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

type Env = Readonly<Record<string, string | undefined>>

/** `profiles.json` in the user's folder for configuration. */
function profilesFile(env: Env): string {
  const home = env['HOME'] || homedir()
  const folder =
    process.platform === 'win32'
      ? env['APPDATA'] || path.join(home, 'AppData', 'Roaming')
      : env['XDG_CONFIG_HOME'] || path.join(home, '.config')
  return path.join(folder, 'quipu', 'profiles.json')
}

/** @throws CommandError when others can read the file, or it is damaged */
export async function readProfiles(env: Env): Promise<Profiles> {
  const file = profilesFile(env)
  const info = await stat(file).catch(() => undefined)
  if (info === undefined) return { current: undefined, profiles: {} }
  // Windows has no such rights.
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
    throw usageError(`${file} has keys and can be read by others: chmod 600 ${file}`)
  try {
    const { current, profiles } = JSON.parse(await readFile(file, 'utf8')) as Profiles
    return { current, profiles: { ...profiles } }
  } catch {
    throw usageError(`${file} is no JSON: remove it, and log in again.`)
  }
}

/** Replaces the file at once, with rights for its owner only: a reader sees the old one or the new one. */
export async function writeProfiles(env: Env, profiles: Profiles): Promise<string> {
  const file = profilesFile(env)
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700) // It may have been there.
  const next = `${file}.${randomUUID()}`
  try {
    await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
  return file
}
