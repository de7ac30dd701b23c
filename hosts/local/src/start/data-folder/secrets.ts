import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'

const SecretsJson = z.object({
  /** Token of the first operator, an admin. */
  operator_token: z.string(),
  /** Token of the second admin, who approves what the first one proposes. */
  second_operator_token: z.string(),
  network_token: z.string(),
  callback_secret: z.string(),
  /** Master seed of the top-up addresses; it can spend their funds. */
  tron_seed: z.string(),
  address_mac_key: z.string(),
  webhook_secret_key: z.string(),
  /** Password of the database role of API and worker. */
  database_password: z.string(),
  faucet_private_key: z.string(),
  /** Private key of the demo tenant's own wallet on the devnet. */
  wallet_private_key: z.string(),
  /** Id of the demo tenant. */
  tenant_id: z.string().optional(),
  /** The demo tenant's key. The service stores only its hash. */
  api_key: z.string().optional(),
})

/** The file of an older version may lack newer secrets. */
const StoredJson = z.record(z.string(), z.string())

export type Secrets = z.output<typeof SecretsJson>

/** The secrets of a data folder, stored in a file that only its owner can read. */
export type SecretsFile = {
  readonly get: () => Secrets
  /** Resolves when the change is durable. */
  readonly update: (change: Partial<Secrets>) => Promise<void>
}

/** Reads the folder's secrets, and generates missing ones. */
export async function openSecrets(dataDir: string): Promise<SecretsFile> {
  const file = path.join(dataDir, 'secrets.json')
  const json = await readJson(file)
  let secrets = SecretsJson.parse({ ...newSecrets(), ...StoredJson.parse(json ?? {}) })
  const update = async (change: Partial<Secrets>): Promise<void> => {
    secrets = { ...secrets, ...change }
    await writeJson(file, secrets)
  }
  await update({})
  return { get: () => secrets, update }
}

/** An operator's token. */
export const newOperatorSecret = (): string => randomBytes(32).toString('hex')

const newSecrets = (): Secrets => ({
  operator_token: newOperatorSecret(),
  second_operator_token: newOperatorSecret(),
  network_token: randomBytes(24).toString('base64url'),
  callback_secret: randomBytes(24).toString('base64url'),
  tron_seed: randomBytes(32).toString('hex'),
  address_mac_key: randomBytes(32).toString('hex'),
  webhook_secret_key: randomBytes(32).toString('hex'),
  database_password: randomBytes(24).toString('base64url'),
  faucet_private_key: randomBytes(32).toString('hex'),
  wallet_private_key: randomBytes(32).toString('hex'),
})
