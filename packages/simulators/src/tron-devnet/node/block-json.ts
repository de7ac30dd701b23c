import { blockVersion, type Block, type Included } from '../chain/block.ts'
import { signedJson, sparse } from './transaction-json.ts'

const hexText = (text: string): string => Buffer.from(text).toString('hex')

/** A block as `getblock` answers it; without `detail` only its header. */
export function blockJson(block: Block, detail = true): unknown {
  const { id, number, root, parentId, witness, timestamp, included } = block
  return {
    blockID: id,
    block_header: {
      raw_data: sparse({
        number,
        txTrieRoot: root,
        witness_address: number === 0 ? '' : witness,
        parentHash: parentId,
        version: number === 0 ? 0 : blockVersion,
        timestamp,
      }),
      ...(number > 0 && { witness_signature: `${id}${id}00` }),
    },
    ...(detail && included.length > 0 && { transactions: included.map(includedJson) }),
  }
}

/** A mined transaction, as in blocks. */
const includedJson = ({ tx, receipt }: Included): unknown => ({
  ret: [{ contractRet: receipt.result ?? 'SUCCESS' }],
  ...signedJson(tx),
})

/** The receipt of a transaction, as in `gettransactioninfobyid`. */
export function infoJson({ tx, receipt, block }: Included): unknown {
  const { call } = tx.raw
  const failed = receipt.result !== null && receipt.result !== 'SUCCESS'
  return {
    id: tx.txid,
    ...sparse({ fee: receipt.feeSun, blockNumber: block.number, blockTimeStamp: block.timestamp }),
    contractResult: [receipt.answer],
    ...(call.type === 'TriggerSmartContract' && { contract_address: call.contract }),
    receipt: sparse({
      energy_usage: receipt.energyUsage,
      energy_fee: receipt.energyFeeSun,
      energy_usage_total: receipt.energyTotal,
      net_usage: receipt.netUsage,
      net_fee: receipt.netFeeSun,
      result: receipt.result ?? '',
    }),
    ...(receipt.logs.length > 0 && { log: receipt.logs.map(logJson) }),
    ...(failed && { result: 'FAILED', resMessage: hexText(receipt.message) }),
  }
}

/** Here the contract's address has 20 bytes, without `41`. */
const logJson = ({ contract, topics, data }: Included['receipt']['logs'][number]): unknown => ({
  address: contract.slice(2),
  ...(topics.length > 0 && { topics }),
  ...(data !== '' && { data }),
})
