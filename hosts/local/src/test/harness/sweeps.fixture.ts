import { parseMoney } from '@quipu/core'
import { type SweepSigner } from '@quipu/core/operator'
import { tronSweepKeys, tronSweepSigner } from '@quipu/tron'
import { sweepFile } from '@quipu/wire'
import { HDKey } from '@scure/bip32'
import { askJson, type JsonReply } from '../../ask-json.ts'
import type { DepositHarness } from './deposit-harness.fixture.ts'
import { until } from './process.fixture.ts'
import { operatorToken } from './tenant.fixture.ts'

export const treasury = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

/** The seed that `chainEnvironment` configures the public key of. */
const { privateExtendedKey: xprv } = HDKey.fromMasterSeed(Buffer.from('5e'.repeat(32), 'hex')).derive("m/44'/195'/0'")

export type SignedJson = { readonly id: string; readonly tx_id: string; readonly signature: string }

/** An operator's calls of sweeps, and an offline signer. */
export type SweepOperator = {
  ask(method: string, path: string, body?: unknown): Promise<JsonReply>
  /** Plans a batch. @returns its id */
  plan(): Promise<string>
  /** Exports the batch, and signs it as the offline signer does. */
  sign(batchId: string): Promise<readonly SignedJson[]>
  /** @returns the result of each signature */
  importSigned(batchId: string, transfers: readonly SignedJson[]): Promise<readonly string[]>
  statuses(batchId: string): Promise<readonly string[]>
  /** Mines, and makes every live sweep due, until none of the batch is live. @returns their states */
  untilEnded(batchId: string): Promise<readonly string[]>
}

export function sweepOperator(
  { chain, database }: Pick<DepositHarness, 'chain'> & { readonly database: Pick<DepositHarness['database'], 'query'> },
  { operatorUrl }: { readonly operatorUrl: string },
): SweepOperator {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const { tokenContract } = chain
  const signer: SweepSigner = tronSweepSigner({ treasury, tokenContract, keyAt: tronSweepKeys(xprv) })
  const batches = '/operator/v1/sweep/batches'
  const operator: SweepOperator = {
    ask: (method, path, body) => askJson(operatorUrl, { method, path, headers, body }),
    plan: async () => {
      const { json, status } = await operator.ask('POST', batches, { threshold: '1.00' })
      if (status !== 201) throw new Error(JSON.stringify(json))
      return (json as { batch: { id: string } }).batch.id
    },
    sign: async (batchId) => {
      const { json } = await operator.ask('GET', `${batches}/${batchId}/unsigned`)
      const { transfers } = sweepFile.parse(json)
      return Promise.all(
        transfers.map(async ({ id, address, derivation_index: index, tx_id, ...rest }) => {
          const amount = parseMoney('USDT', rest.amount)
          if (!amount) throw new Error(rest.amount)
          const transaction = JSON.stringify(rest.transaction)
          const bytes = { txHash: tx_id, rawHex: rest.raw_data_hex, transaction }
          return { id, tx_id, signature: await signer.sign({ index, address, amount, ...bytes }) }
        }),
      )
    },
    importSigned: async (batchId, transfers) => {
      const { json } = await operator.ask('POST', `${batches}/${batchId}/signed`, { transfers })
      return (json as { transfers: { result: string }[] }).transfers.map(({ result }) => result)
    },
    statuses: async (batchId) => {
      const { json } = await operator.ask('GET', `${batches}/${batchId}`)
      return (json as { transfers: { status: string }[] }).transfers.map(({ status }) => status)
    },
    untilEnded: (batchId) =>
      until('every sweep of the batch has ended', async () => {
        chain.mine()
        await database.query(`update quipu.sweep_transfer set due_at = clock_timestamp()
          where due_at > clock_timestamp() + interval '3 s'`)
        const statuses = await operator.statuses(batchId)
        return statuses.some((each) => each === 'planned' || each === 'signed') ? undefined : statuses
      }),
  }
  return operator
}
