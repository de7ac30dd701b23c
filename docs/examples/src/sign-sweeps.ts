// The offline signer: runs on a machine without a network, which has the seed and its own copy of the treasury.
//
// node sign-sweeps.ts TREASURY TOKEN < unsigned.json > signed.json
// SWEEP_XPRV is the extended private key of m/44'/195'/account'.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseMoney } from '@quipu/core'
import { tronSweepKeys, tronSweepSigner } from '@quipu/tron'
import { sweepFile } from '@quipu/wire'

export type SignOptions = { readonly treasury: string; readonly tokenContract: string; readonly xprv: string }

/**
 * Signs every transfer of an exported batch, or none.
 *
 * @returns the body of `POST /operator/v1/sweep/batches/{id}/signed`
 */
export async function signSweeps(file: unknown, { treasury, tokenContract, xprv }: SignOptions): Promise<object> {
  const { transfers } = sweepFile.parse(file)
  const signer = tronSweepSigner({ treasury, tokenContract, keyAt: tronSweepKeys(xprv) })
  const signed = []
  for (const { id, address, derivation_index: index, ...transfer } of transfers) {
    const amount = parseMoney('USDT', transfer.amount)
    if (!amount) throw new Error(`${transfer.amount} is not an amount`)
    const { tx_id: txHash, raw_data_hex: rawHex } = transfer
    const transaction = JSON.stringify(transfer.transaction)
    const signature = await signer.sign({ index, address, amount, txHash, rawHex, transaction })
    signed.push({ id, tx_id: txHash, signature })
  }
  return { transfers: signed }
}

if (import.meta.main) {
  const [treasury = '', tokenContract = ''] = process.argv.slice(2)
  const xprv = process.env['SWEEP_XPRV'] ?? ''
  const file: unknown = JSON.parse(readFileSync(0, 'utf8'))
  console.log(JSON.stringify(await signSweeps(file, { treasury, tokenContract, xprv })))
}
