import { styleText } from 'node:util'

/** Tells the story on a terminal. Colours only where the terminal takes them. */
export type Narrator = {
  title(text: string): void
  /** What is about to happen, or why. */
  remark(text: string): void
  request(method: string, path: string, body: unknown): void
  answer(status: number, what: string): void
  balance(available: bigint, change: bigint | undefined): void
  verdict(isExpected: boolean, text: string): void
}

const indent = '   '

export function narrator(say: (line: string) => void): Narrator {
  let chapter = 0
  return {
    title(text) {
      chapter += 1
      say(`\n${styleText('bold', `${String(chapter).padStart(2)} · ${text}`)}`)
    },
    remark: (text) => say(`${indent}  ${text}`),
    request(method, path, body) {
      const what = body === undefined ? '' : styleText('dim', inShort(body))
      const where = path.replace(/(?<=cursor=)[^&]+/, cut)
      say(`${indent}→ ${`${method.padEnd(4)} ${where}`.padEnd(29)} ${what}`.trimEnd())
    },
    answer: (status, what) =>
      say(`${indent}← ${styleText(status < 300 ? 'cyan' : 'yellow', String(status))}  ${what}`),
    balance(available, change) {
      const moved = change === undefined || change === 0n ? '' : `  (${signed(change)})`
      say(`${indent}  ${styleText('dim', `balance ${formatUsdt(available)} USDT${moved}`)}`)
    },
    verdict: (isExpected, text) => say(`${indent}${tick(isExpected)} ${text}`),
  }
}

export const tick = (isExpected: boolean): string =>
  isExpected ? styleText('green', '✓') : styleText('red', '✗')

/** `+2.550839` or `−2.550839`. */
export const signed = (change: bigint): string =>
  change < 0n ? `−${formatUsdt(-change)}` : `+${formatUsdt(change)}`

/** `2550839n` is `2.550839`. */
export const formatUsdt = (micro: bigint): string =>
  `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`

/** JSON as a person would say it: `target=BOB 25.00 qr.content=AbCdEfGh…4C5EC9E1`. */
function inShort(value: unknown, name = ''): string {
  if (typeof value !== 'object' || value === null) return `${name}=${cut(String(value))}`
  if ('currency' in value && 'amount' in value) {
    return `${name}=${String(value.currency)} ${String(value.amount)}`
  }
  return Object.entries(value)
    .map(([key, member]) => inShort(member, name === '' ? key : `${name}.${key}`))
    .join(' ')
}

const cut = (text: string): string =>
  text.length > 34 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text
