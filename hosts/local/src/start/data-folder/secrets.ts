import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'

const SecretsJson = z.object({
  operator_token: z.string(),
  network_token: z.string(),
  callback_secret: z.string(),
  /** Of the top-up addresses: whoever has it can spend what they receive. */
  tron_seed: z.string(),
  address_seal_key: z.string(),
  webhook_secret_key: z.string(),
  /** Of the role that the processes connect as. */
  database_password: z.string(),
  faucet_private_key: z.string(),
  /** Of the demo tenant's own wallet on the devnet. */
  wallet_private_key: z.string(),
  /** The demo tenant's. */
  tenant_id: z.string().optional(),
  /** Only here: the service keeps a hash. */
  api_key: z.string().optional(),
})

/** Of a start that knew fewer. */
const KeptJson = z.record(z.string(), z.string())

export type Secrets = z.output<typeof SecretsJson>

/** The secrets of a data folder, kept in a file that only its owner can read. */
export type KeptSecrets = {
  readonly get: () => Secrets
  /** Resolves when the change would survive a crash. */
  readonly keep: (change: Partial<Secrets>) => Promise<void>
}

/** Opens the folder's secrets; the first time, it makes them. */
export async function openSecrets(dataDir: string): Promise<KeptSecrets> {
  const file = path.join(dataDir, 'secrets.json')
  const json = await readJson(file)
  // A folder of an older start lacks what that start did not need.
  let secrets = SecretsJson.parse({ ...newSecrets(), ...KeptJson.parse(json ?? {}) })
  const keep = async (change: Partial<Secrets>): Promise<void> => {
    secrets = { ...secrets, ...change }
    await writeJson(file, secrets)
  }
  await keep({})
  return { get: () => secrets, keep }
}

const newSecrets = (): Secrets => ({
  operator_token: randomBytes(24).toString('base64url'),
  network_token: randomBytes(24).toString('base64url'),
  callback_secret: randomBytes(24).toString('base64url'),
  tron_seed: randomBytes(32).toString('hex'),
  address_seal_key: randomBytes(32).toString('hex'),
  webhook_secret_key: randomBytes(32).toString('hex'),
  database_password: randomBytes(24).toString('base64url'),
  faucet_private_key: randomBytes(32).toString('hex'),
  wallet_private_key: randomBytes(32).toString('hex'),
})
