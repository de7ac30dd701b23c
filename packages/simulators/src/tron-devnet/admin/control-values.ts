import { Refusal } from '../../json-server.ts'
import { topicOf, transferLog, type Log } from '../token/abi.ts'
import { parseAddress, type Address } from '../account/address.ts'
import type { ScriptedLog, ScriptRequest, TransferRequest } from './controls.ts'
import { usdt } from '../devnet.ts'
import type { Script } from '../transaction/script.ts'

/** @throws Refusal 400 if the text is no address */
export function addressOf(text: string): Address {
  const address = parseAddress(text)
  if (address === null) throw new Refusal(400, 'BAD_REQUEST', `${text} is not an address.`)
  return address
}

/** The given contract, or the devnet's USDT. */
export const tokenOf = (text: string | undefined): Address => (text === undefined ? usdt.contract : addressOf(text))

export const scriptOf = ({ transfers = [], logs = [], result }: ScriptRequest): Script => ({
  transfers: transfers.map(transferOf),
  logs: logs.map(logOf),
  result: result ?? 'SUCCESS',
})

const transferOf = ({ from, to, value, token }: TransferRequest): Script['transfers'][number] => ({
  token: tokenOf(token),
  from: addressOf(from),
  to: addressOf(to),
  value,
})

function logOf(log: ScriptedLog): Log {
  if (log.topics === undefined) {
    const { token, from, to, value } = transferOf(log)
    return transferLog(token, from, to, value)
  }
  return {
    contract: tokenOf(log.contract),
    topics: log.topics.map((topic) => (topic.endsWith(')') ? topicOf(topic) : topic)),
    data: log.data ?? '',
  }
}
