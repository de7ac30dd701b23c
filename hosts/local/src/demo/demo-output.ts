import { styleText } from 'node:util'

/** Prints the steps on a terminal, in colour if the terminal supports it. */
export type DemoOutput = {
  title(text: string): void
  /** A line that explains the next call. */
  note(text: string): void
  request(method: string, path: string, body: unknown): void
  answer(status: number, summary: string): void
  balance(available: bigint, change: bigint | undefined): void
  result(isExpected: boolean, text: string): void
}

const indent = '   '

export function demoOutput(print: (line: string) => void): DemoOutput {
  let stepNumber = 0
  return {
    title(text) {
      stepNumber += 1
      print(`\n${styleText('bold', `${String(stepNumber).padStart(2)} · ${text}`)}`)
    },
    note: (text) => print(`${indent}  ${text}`),
    request(method, path, body) {
      const summary = body === undefined ? '' : styleText('dim', summaryOf(body))
      const target = path.replace(/(?<=cursor=)[^&]+/, cut)
      print(`${indent}→ ${`${method.padEnd(4)} ${target}`.padEnd(29)} ${summary}`.trimEnd())
    },
    answer: (status, summary) =>
      print(`${indent}← ${styleText(status < 300 ? 'cyan' : 'yellow', String(status))}  ${summary}`),
    balance(available, change) {
      const moved = change === undefined || change === 0n ? '' : `  (${signed(change)})`
      print(`${indent}  ${styleText('dim', `balance ${formatUsdt(available)} USDT${moved}`)}`)
    },
    result: (isExpected, text) => print(`${indent}${tick(isExpected)} ${text}`),
  }
}

export const tick = (isExpected: boolean): string => (isExpected ? styleText('green', '✓') : styleText('red', '✗'))

/** `+2.550839` or `−2.550839`. */
export const signed = (change: bigint): string => (change < 0n ? `−${formatUsdt(-change)}` : `+${formatUsdt(change)}`)

/** `2550839n` is `2.550839`. */
export const formatUsdt = (micro: bigint): string =>
  `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`

/** A request body in one line: `target=BOB 25.00 qr.content=AbCdEfGh…4C5EC9E1`. */
function summaryOf(value: unknown, name = ''): string {
  if (typeof value !== 'object' || value === null) return `${name}=${cut(String(value))}`
  if ('currency' in value && 'amount' in value) {
    return `${name}=${String(value.currency)} ${String(value.amount)}`
  }
  return Object.entries(value)
    .map(([key, member]) => summaryOf(member, name === '' ? key : `${name}.${key}`))
    .join(' ')
}

const cut = (text: string): string => (text.length > 34 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text)
