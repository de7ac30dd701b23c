import { createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readIfExists } from '../../read-if-exists.ts'

/** The RSA-2048 key of the network's QR contents. It is for the sandbox only. */
export type SandboxKey = {
  readonly privateKey: string
  readonly publicKey: string
  /** In place of a bank's certificate serial: `5A0D` and 28 hex digits of the public key's digest. */
  readonly serial: string
}

/** Prefix of the serials of sandbox keys; production refuses their contents. */
export const sandboxSerialPrefix = '5A0D'

const generate = promisify(generateKeyPair)
let shared: Promise<string> | undefined

/**
 * Reads the key from `folder`, or creates it. Without a folder all simulators of the process share
 * one key in memory, because generating a key takes long.
 */
export async function sandboxKey(folder: string | undefined): Promise<SandboxKey> {
  const privateKey = folder === undefined ? await (shared ??= newKey()) : await storedKey(folder)
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'pem' }), serial: serialOf(publicKey) }
}

function serialOf(publicKey: KeyObject): string {
  const fingerprint = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }))
  return sandboxSerialPrefix + fingerprint.slice(0, 28).toUpperCase()
}

async function newKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' })
}

async function storedKey(folder: string): Promise<string> {
  const path = join(folder, 'sandbox-key.pem')
  const stored = await readIfExists(path)
  if (stored !== undefined) return stored
  const created = await newKey()
  await mkdir(folder, { recursive: true })
  await writeFile(`${path}.new`, created, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return created
}
