import { rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'

const LocalFileJson = z.object({
  base_url: z.url(),
  api_key: z.string(),
  tenant_id: z.string(),
  operator_url: z.url(),
  operator_token: z.string(),
  /** Token of a second person, to approve what the first one proposes. */
  second_operator_token: z.string(),
  example_url: z.url(),
  tron: z.object({
    url: z.url(),
    admin_url: z.url(),
    token_contract: z.string(),
    wallet: z.object({ address: z.string(), private_key: z.string() }),
  }),
  qr_network: z.object({ name: z.enum(['http', 'openhub']), url: z.url(), admin_url: z.url() }),
  database_url: z.string(),
  /** With `start --sqs`. */
  sqs: z.object({ endpoint: z.url(), queue_url: z.url() }).optional(),
})

/** `local.json`: URLs and credentials of everything that `start` runs. */
export type LocalFile = z.output<typeof LocalFileJson>

export const localFilePath = (dataDir: string): string => path.join(dataDir, 'local.json')

/** Undefined if nothing was started on this folder, or a start is in progress. */
export async function readLocalFile(dataDir: string): Promise<LocalFile | undefined> {
  const json = await readJson(localFilePath(dataDir))
  return json === undefined ? undefined : LocalFileJson.parse(json)
}

export const writeLocalFile = (dataDir: string, file: LocalFile): Promise<void> =>
  writeJson(localFilePath(dataDir), file)

/** Called at the beginning of a start, so that the file exists only when its URLs answer. */
export const removeLocalFile = (dataDir: string): Promise<void> => rm(localFilePath(dataDir), { force: true })
