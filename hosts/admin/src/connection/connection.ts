import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { usageError } from '../exit.ts'

/** Where the operator API is, and who calls it. */
export type Connection = {
  /** Without `/operator/v1` and without a slash at the end. */
  readonly url: string
  readonly token: string | undefined
  /** Says on stderr which file the URL comes from; undefined if the operator named the URL. */
  readonly notice: string | undefined
}

export type ConnectionOptions = { readonly url?: string | undefined; readonly tokenFile?: string | undefined }

type Env = Readonly<Record<string, string | undefined>>

/**
 * The URL of `--url` or `QUIPU_OPERATOR_URL`, otherwise of the `local.json` that `start` writes. The token of
 * `QUIPU_OPERATOR_TOKEN`, or of a file; that of `local.json` is sent to the URL of `local.json` only.
 *
 * @throws CommandError when there is no URL, or others may read the token's file
 */
export async function connectionOf(options: ConnectionOptions, env: Env): Promise<Connection> {
  const token = await tokenOf(options, env)
  const named = options.url || env['QUIPU_OPERATOR_URL']
  if (named) {
    const url = URL.parse(named)
    if (url === null || !/^https?:$/.test(url.protocol))
      throw usageError(`${named} is not an http or https URL: set QUIPU_OPERATOR_URL or --url.`)
    return { url: named.replace(/\/+$/, ''), token, notice: undefined }
  }
  const file = path.join(env['QUIPU_DATA_DIR'] || '.quipu', 'local.json')
  const local = await localFile(file)
  if (local === undefined)
    throw usageError(
      `No operator API is named: set QUIPU_OPERATOR_URL or --url. (${file} does not exist: \`start\` is not running.)`,
    )
  const notice = `Using ${file}: ${local.operator_url}`
  return { url: local.operator_url, token: token ?? local.operator_token, notice }
}

type LocalFile = { readonly operator_url: string; readonly operator_token: string }

async function localFile(file: string): Promise<LocalFile | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LocalFile
  } catch {
    return undefined
  }
}

async function tokenOf({ tokenFile }: ConnectionOptions, env: Env): Promise<string | undefined> {
  const file = tokenFile || env['QUIPU_OPERATOR_TOKEN_FILE']
  if (file) return privateText(file)
  return env['QUIPU_OPERATOR_TOKEN'] || undefined
}

/**
 * The content of a file that only its owner may read.
 *
 * @throws CommandError when it cannot be read, or others may read it
 */
async function privateText(file: string): Promise<string> {
  const info = await stat(file).catch((error: unknown) => {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : 'error'}`)
  })
  // Windows has no such rights.
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
    throw usageError(`${file} can be read by others: chmod 600 ${file}`)
  return (await readFile(file, 'utf8')).trim()
}
