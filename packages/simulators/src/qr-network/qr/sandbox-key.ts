import { createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readIfThere } from '../../read-if-there.ts'

/** The RSA-2048 key behind the network's QR contents. A sandbox key: it signs nothing of value. */
export type SandboxKey = {
  readonly privateKey: string
  readonly publicKey: string
  /** Stands where a bank's certificate serial stands: `5A0D` and 28 hex digits of the public key. */
  readonly serial: string
}

/** Serials that begin so belong to sandbox keys; production refuses their contents. */
export const sandboxSerialPrefix = '5A0D'

const generate = promisify(generateKeyPair)
let shared: Promise<string> | undefined

/**
 * The key kept in `folder`, made on first use. Without a folder the process shares one key in
 * memory, so that many simulators in one test run do not each wait for a key to be found.
 */
export async function sandboxKey(folder: string | undefined): Promise<SandboxKey> {
  const privateKey = folder === undefined ? await (shared ??= newKey()) : await keptKey(folder)
  const publicKey = createPublicKey(privateKey)
  return {
    privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    serial: serialOf(publicKey),
  }
}

function serialOf(publicKey: KeyObject): string {
  const fingerprint = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }))
  return sandboxSerialPrefix + fingerprint.slice(0, 28).toUpperCase()
}

async function newKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' })
}

async function keptKey(folder: string): Promise<string> {
  const path = join(folder, 'sandbox-key.pem')
  const kept = await readIfThere(path)
  if (kept !== undefined) return kept
  const made = await newKey()
  await writeFile(`${path}.new`, made, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return made
}
