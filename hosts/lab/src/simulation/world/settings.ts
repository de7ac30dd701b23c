import type { AppSettings } from '@quipu/api'
import { sha256 } from '@quipu/core/adapter'
import { tronAddressFormat } from '@quipu/tron'
import type { WorkerSettings } from '@quipu/worker/settings'
import { type Release, thisRelease } from '../release/release.ts'
import { faucetAccount } from './transfers.ts'

/** The settings of all processes that were started with the same keys. */
export type ProcessSettings = { readonly api: AppSettings; readonly worker: WorkerSettings }

/** The account of BIP-32's first test vector, as `m/44'/195'/0'`. Nobody has funds there. */
export const xpub =
  'xpub6Bs4tgnLVqXrzkUc298sbaM8KKLtxhndvxiXNXfQkjUCaFA28YjLRfnF3sPfaV7ZSub5ui2USq45Tzto2Q1s8zoWW61rPy8DpqPNWS8ySE7'

const key = (name: string, id: number): string => `${id}:${sha256(`${name} ${id}`)}`

/** The ids of the keys of each step of a rotation: all processes can read with a key before one writes with it. */
const rotation = [[1], [1, 2], [2, 1]] as const
export const lastVersion = rotation.length - 1

const ring = (name: string, version: number): string => (rotation[version] ?? [1]).map((id) => key(name, id)).join(',')

const made = new WeakMap<Release, Map<number, ProcessSettings>>()

/** Requested runs compare what is a minute old. */
const reconciling = { RECONCILIATION_SETTLE_SECONDS: '60' }

/** @param version  the step of the rotation of the encryption keys, from 0 to `lastVersion` */
export function settingsOf(version: number, release: Release = thisRelease): ProcessSettings {
  const ofRelease = made.get(release) ?? new Map<number, ProcessSettings>()
  const known = ofRelease.get(version)
  if (known !== undefined) return known
  const worker = release.WorkerSettings.parse({
    DATABASE_URL: 'postgres://simulated/quipu',
    QR_NETWORK_URL: 'http://network.example',
    QR_NETWORK_TOKEN: 'simulated-token-of-the-network',
    TRON_NODE_URL: 'http://node.example',
    TRON_VERIFIER_URL: 'http://verifier.example',
    TRON_TOKEN_CONTRACT: tronAddressFormat.format(sha256('token').slice(0, 40)),
    TRON_GENESIS_BLOCK: '0'.repeat(64),
    TRON_XPUB: xpub,
    TRON_FIRST_BLOCK: '1',
    TRON_SERVICE_ADDRESSES: tronAddressFormat.format(faucetAccount),
    ADDRESS_MAC_KEY: ring('address', version),
    DEPOSIT_VERIFY_FROM: '1.500000',
    WEBHOOK_SECRET_KEY: ring('webhook', version),
    WEBHOOK_ATTEMPTS: '2',
    WEBHOOK_IDLE_MS: '1000',
    WORKER_IDLE_MS: '1500',
    ...reconciling,
  })
  const api = release.AppSettings.parse(reconciling)
  const both = { api, worker }
  made.set(release, ofRelease.set(version, both))
  return both
}
