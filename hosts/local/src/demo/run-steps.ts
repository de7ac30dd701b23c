import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LocalFile } from '../start/data-folder/local-file.ts'
import { demoClient } from './demo-client.ts'
import { type DemoOutput, demoOutput, formatUsdt, signed, tick } from './demo-output.ts'
import { fundingSteps } from './funding-steps.ts'
import { listStep } from './list-step.ts'
import { expired, paymentSteps } from './payment-steps.ts'
import { openReceiver } from './receiver.ts'
import type { Step, StepContext, StepResult } from './step.ts'
import { tenantWallet } from './tenant-wallet.ts'
import { webhookSteps } from './webhook-steps.ts'

export type DemoOptions = {
  readonly print: (line: string) => void
  /** Adds the step that waits for a quote to expire. */
  readonly expiry: boolean
}

type FinishedStep = StepResult & { readonly title: string; readonly isExpected: boolean }

/**
 * Runs every step as the demo tenant of a running `start`.
 *
 * @returns whether every step ended as expected
 */
export async function runSteps(
  {
    base_url: baseUrl,
    api_key: apiKey,
    tron,
    qr_network: { name },
  }: Pick<LocalFile, 'base_url' | 'api_key' | 'tron' | 'qr_network'>,
  { print, expiry }: DemoOptions,
): Promise<boolean> {
  const output = demoOutput(print)
  const runId = randomUUID().slice(0, 8)
  const wait = async (ms: number): Promise<void> => pause(ms)
  const context: StepContext = {
    client: demoClient({ baseUrl, apiKey, output, pause: wait }),
    note: output.note,
    pause: wait,
    transactionId: (name) => `demo-${runId}-${name}`,
  }
  const startedAt = new Date()
  await using receiver = await openReceiver()
  const { first, last } = webhookSteps(receiver, startedAt)
  const finished: FinishedStep[] = []
  const closing = [...(expiry ? [expired] : []), listStep(startedAt), last]
  const steps = [first, ...fundingSteps(tenantWallet(tron)), ...paymentSteps, ...closing]
  for (const step of steps.filter(({ network = name }) => network === name)) {
    finished.push(await runStep(step, context, output))
  }
  const failures = finished.filter(({ isExpected }) => !isExpected).length
  print(`\n${table(finished)}\n`)
  const seconds = ((Date.now() - startedAt.getTime()) / 1000).toFixed(1)
  print(
    failures === 0
      ? `${tick(true)} All ${finished.length} steps ended as expected, in ${seconds} s.`
      : `${tick(false)} ${failures} of ${finished.length} steps did not end as expected.`,
  )
  if (!expiry) print('  To also let a quote expire: npx -y pnpm@12 demo --expiry')
  return failures === 0
}

async function runStep(step: Step, context: StepContext, output: DemoOutput): Promise<FinishedStep> {
  const { title } = step
  output.title(title)
  const before = await context.client.available()
  output.balance(before, undefined)
  const result = await step.run(context).catch((error: unknown): StepResult => {
    const actual = error instanceof Error ? error.message : String(error)
    return { expected: 'an answer', actual, debited: 0n }
  })
  const after = await context.client.available()
  output.balance(after, after - before)
  const isExpected = result.actual === result.expected && before - after === result.debited
  const expected = `${result.expected}, ${inWords(result.debited)}`
  output.result(isExpected, isExpected ? expected : `${result.actual}; expected ${expected}`)
  return { title, isExpected, ...result }
}

function inWords(debited: bigint): string {
  if (debited === 0n) return 'nothing debited'
  return debited > 0n ? `${formatUsdt(debited)} USDT debited` : `${formatUsdt(-debited)} USDT credited`
}

/** One line per step: its result and its cost. */
function table(finished: readonly FinishedStep[]): string {
  const titleWidth = Math.max(...finished.map(({ title }) => title.length))
  const lines = finished.map(({ title, isExpected, actual, debited }, index) => {
    const number = String(index + 1).padStart(2)
    const cost = debited === 0n ? '' : ` ${signed(-debited)}`
    return `${tick(isExpected)} ${number} ${title.padEnd(titleWidth)}  ${actual}${cost}`
  })
  return lines.join('\n')
}
