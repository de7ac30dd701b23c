import path from 'node:path'
import { toDecimal, type Usdt } from '@quipu/core'
import { type LocalFile, localFilePath } from './data-folder/local-file.ts'
import { logPath } from './data-folder/log-file.ts'

export type Started = {
  readonly file: LocalFile
  readonly dataDir: string
  readonly available: Usdt
  readonly seconds: number
}

/** Printed by `start` when everything is ready. The shell lines can be pasted as they are. */
export const welcome = ({ file, dataDir, available, seconds }: Started): string => `
Quipu is ready after ${seconds.toFixed(1)} s. This is a local sandbox: no real money moves.

  API           ${file.base_url}   (reference: ${file.base_url}/docs)
  Example       ${file.example_url}   (any API key that begins with qpu_mock_)
  Operator      ${file.operator_url}   (token in local.json)
  Console       ${file.operator_url}/console   (sign in with the operator_token of local.json)
  Tron devnet   ${file.tron.url}   (fault injection: ${file.tron.admin_url})
  QR network    ${file.qr_network.url}   (fault injection: ${file.qr_network.admin_url})
${file.sqs ? `  SQS           ${file.sqs.endpoint}\n` : ''}  API key       ${file.api_key}
  Tenant        ${file.tenant_id}, with ${toDecimal(available)} USDT available
  Data          ${displayPath(dataDir)}   (${displayPath(localFilePath(dataDir))}, ${displayPath(logPath(dataDir))})

Pay a QR from another terminal:

${shellLines(file)
  .split('\n')
  .map((line) => (line === '' ? '' : `  ${line}`))
  .join('\n')}

See every outcome:  npx -y pnpm@12 demo
To stop:  Ctrl-C
`

/**
 * Shell lines that issue a merchant QR, resolve it, quote it, pay it, and show the list and the
 * balance. They have no comments, which interactive zsh does not accept.
 */
const shellLines = ({ base_url, api_key }: LocalFile): string =>
  `
API=${base_url}/v1
KEY=${api_key}
get() { curl -sS -w '\\n' -H "X-API-Key: $KEY" "$API$1"; }
post() { curl -sS -w '\\n' -H "X-API-Key: $KEY" -H 'Content-Type: application/json' "$API$1" -d "$2"; }
pick() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

CONTENT=$(post /sandbox/qr-codes '{"amount_mode":"closed","amount":"25.00"}' | pick content)
RESOLUTION=$(post /payouts/qr/resolve '{"content":"'$CONTENT'"}' | pick resolution_id)
QUOTE=$(post /quotes '{"resolution_id":"'$RESOLUTION'"}' | pick id)

post /payouts '{"transaction_id":"order-'$QUOTE'","type":"qr","quote_id":"'$QUOTE'","qr":{"content":"'$CONTENT'"}}'
get '/payouts?limit=5'
get /wallets
`.trim()

/** Relative to the working directory if the file is inside it. */
function displayPath(file: string): string {
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}
