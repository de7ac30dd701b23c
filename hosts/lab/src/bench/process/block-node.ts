import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

// A Tron node with precomputed responses, so that it costs little more than sending them. Sends its port
// to its parent process.

const [, , transactions = '600', topUpAccount = ''] = process.argv
/** One block in ten has a transfer to a top-up address. */
const paysEvery = 10

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const blockId = (number: number): string => number.toString(16).padStart(16, '0') + digest(`block ${number}`).slice(16)
const genesis = Date.parse('2026-01-01T00:00:00Z')

/** Placeholder for the block's number, in eight hex digits, in an id. */
const mark = '@@@@@@@@'
const txIds = Array.from({ length: Number(transactions) }, (_, n) => mark + digest(`tx ${n}`).slice(8))
const word = (account: string): string => account.padStart(64, '0')
const accountOf = (name: string): string => digest(name).slice(0, 40)
const token = accountOf('token')
const topic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const transactionsJson = JSON.stringify(
  txIds.map((txID, n) => ({
    txID,
    signature: [digest(`s ${n}`) + digest(`t ${n}`)],
    ret: [{ contractRet: 'SUCCESS' }],
    raw_data: {
      contract: [{ type: 'TriggerSmartContract', parameter: { value: { data: digest(`d ${n}`) } } }],
      ref_block_bytes: 'ffff',
      ref_block_hash: digest(`r ${n}`).slice(0, 16),
      expiration: genesis + 10 * 365 * 86_400_000,
      timestamp: genesis,
      fee_limit: 100_000_000,
    },
    raw_data_hex: digest(`raw ${n}`).repeat(6),
  })),
).split(mark)
/** Placeholder for the top-up address that receives a transfer. */
const payee = '&'.repeat(40)
const infosJson = (pays: boolean): string[] =>
  JSON.stringify(
    txIds.map((id, n) => ({
      id,
      fee: 345_000,
      blockNumber: -1,
      contractResult: [word('1')],
      contract_address: `41${token}`,
      receipt: { energy_usage_total: 31_895, net_usage: 345, result: 'SUCCESS' },
      log: [
        {
          address: token,
          topics: [topic, word(accountOf(`from ${n}`)), word(pays && n === 0 ? payee : accountOf(`to ${n % 97}`))],
          data: word((1_000_000 + n).toString(16)),
        },
      ],
    })),
  ).split(mark)
const infos = { paying: infosJson(true), other: infosJson(false) }

type NodeRequest = { readonly num?: number; readonly id_or_num?: string }

function respond(path: string, body: NodeRequest, head: number): string {
  const number = body.num ?? Number(body.id_or_num ?? head)
  const id = number.toString(16).padStart(8, '0')
  const header = {
    blockID: blockId(number),
    block_header: { raw_data: { number, timestamp: genesis + number * 3_000, parentHash: blockId(number - 1) } },
  }
  if (path.endsWith('/getblock')) return JSON.stringify(header)
  if (path.endsWith('/getblockbynum'))
    return `${JSON.stringify(header).slice(0, -1)},"transactions":${transactionsJson.join(id)}}`
  const pays = number % paysEvery === 0
  const text = infos[pays ? 'paying' : 'other'].join(id)
  const numbered = text.replaceAll('"blockNumber":-1', `"blockNumber":${number}`)
  return pays ? numbered.replace(payee, topUpAccount) : numbered
}

let head = 0
process.on('message', (message) => {
  head = Number(message)
  process.send?.(head)
})
process.once('SIGTERM', () => process.exit())

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const server = createServer((request, response) => {
  void bodyOf(request).then((text) => {
    const body = respond(request.url ?? '', JSON.parse(text || '{}') as NodeRequest, head)
    response.setHeader('content-type', 'application/json')
    response.end(body)
  })
}).listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
