import { authorized, type Operator } from '../access/operator.ts'
import type { Clock } from '../time.ts'
import type { SweepChain, SweepSignature, SweepSigner, SweepStore } from './ports.ts'
import { isLiveSweep, type SweepTransfer } from './sweep.ts'

/** The ports of `importSweep`. */
export type ImportSweepPorts = {
  readonly sweeps: Pick<SweepStore, 'find' | 'sign'>
  readonly chain: Pick<SweepChain, 'join'>
  readonly now: Clock
}

/** A transfer as an offline signer returns it. */
export type SignedSweep = Pick<SweepTransfer, 'id' | 'txHash'> & {
  /** 65 bytes in hex. */
  readonly signature: string
}

/** The outcome of an imported signature. */
export const sweepImportResults = [
  'signed',
  'already_signed',
  'ended',
  'unknown_transfer',
  'other_bytes',
  'wrong_signature',
] as const
/**
 * The outcome of an imported signature. `already_signed`, and `ended`: nothing changed. `unknown_transfer`: the
 * batch has no such transfer. `other_bytes`: `txHash`, the digest of the bytes, is not the exported one. `wrong_signature`: it is
 * not that of the address's key.
 */
export type SweepImportResult = (typeof sweepImportResults)[number]

/** The result of each signature, in their order; `not_found`: no such batch. */
export type SweepImportAnswer =
  | { readonly type: 'not_found' }
  | {
      readonly type: 'imported'
      readonly results: readonly { readonly id: string; readonly result: SweepImportResult }[]
    }

/** Imports signatures of a batch. */
export type ImportSweep = (
  operator: Operator,
  batchId: string,
  signed: readonly SignedSweep[],
) => Promise<SweepImportAnswer>

/**
 * Imports the signatures that an offline signer made, all of a batch's or some.
 *
 * A signature is accepted for exactly the exported bytes, and so for their recipient, contract and amount, and only
 * of the key of the transfer's address. An import can be repeated: the first signature of a transfer stays, and
 * another one could not change its id. Each signature is checked alone.
 *
 * @throws Unavailable when the outcome of the write is unknown; repeat the import
 * @throws Unauthorized without the active token of an operator
 * @example
 * ```ts
 * const importSigned = importSweep(ports)
 * const answer = await importSigned(ana, 'swb_00000000000000000000000000', [])
 * console.log(answer.type) // not_found
 * ```
 */
export function importSweep(ports: ImportSweepPorts): ImportSweep {
  const { sweeps, chain, now } = ports
  return async (operator, batchId, signed) => {
    const found = await sweeps.find(batchId)
    if (!found) return { type: 'not_found' }
    const transfers = new Map(found.transfers.map((each) => [each.id, each]))
    const checked = signed.map((each) => ({ ...each, result: resultOf(chain, transfers.get(each.id), each) }))
    const valid = checked.filter(({ result }) => result === 'signed')
    const signatures = valid.map(({ id, signature }) => ({ transferId: id, signature }))
    const changed = new Set(
      signatures.length > 0
        ? authorized(await sweeps.sign(batchId, onePerTransfer(signatures), { ...operator, at: now() }))
        : [],
    )
    const results = checked.map(({ id, result }) => ({
      id,
      result: result === 'signed' && !changed.delete(id) ? ('already_signed' as const) : result,
    }))
    return { type: 'imported', results }
  }
}

/** @returns `signed` when the signature may be stored */
function resultOf(
  chain: Pick<SweepChain, 'join'>,
  stored: SweepTransfer | undefined,
  { txHash, signature }: SignedSweep,
): SweepImportResult {
  if (!stored) return 'unknown_transfer'
  if (stored.txHash !== txHash) return 'other_bytes'
  if (!chain.join(stored, stored.account, signature)) return 'wrong_signature'
  if (!isLiveSweep(stored)) return 'ended'
  return stored.status === 'signed' ? 'already_signed' : 'signed'
}

const onePerTransfer = (signatures: readonly SweepSignature[]): readonly SweepSignature[] =>
  Array.from(new Map(signatures.map((each) => [each.transferId, each])).values())

/** Signs the planned transfers of a batch with keys in a key management service. */
export type SignSweep = (operator: Operator, batchId: string) => Promise<SweepImportAnswer>

/**
 * Signs every planned transfer of a batch by `signer`, and imports the signatures as those of an offline signer.
 *
 * Repeat it after an error: transfers that are signed already stay as they are.
 *
 * @throws Unavailable when the service cannot be reached; what it signed before is not stored
 * @example
 * ```ts
 * const signer = { sign: async () => '00'.repeat(65) }
 * const sign = signSweep({ ...ports, signer })
 * console.log((await sign(ana, 'swb_00000000000000000000000000')).type) // not_found
 * ```
 */
export function signSweep(ports: ImportSweepPorts & { readonly signer: SweepSigner }): SignSweep {
  const { sweeps, signer } = ports
  return async (operator, batchId) => {
    const found = await sweeps.find(batchId)
    if (!found) return { type: 'not_found' }
    const signed: SignedSweep[] = []
    for (const transfer of found.transfers)
      if (transfer.status === 'planned') {
        const { id, txHash } = transfer
        signed.push({ id, txHash, signature: await signer.sign(transfer) })
      }
    return importSweep(ports)(operator, batchId, signed)
  }
}
