import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LocalFile } from '../start/data-folder/local-file.ts'
import { type Chapter, chapters, expired, type Outcome, type Stage } from './payment-steps.ts'
import { fundingChapters } from './funding-steps.ts'
import { listing } from './list-step.ts'
import { formatUsdt, narrator, type Narrator, signed, tick } from './demo-output.ts'
import { ownWallet } from './tenant-wallet.ts'
import { openReceiver } from './receiver.ts'
import { shop } from './demo-client.ts'
import { webhookChapters } from './webhook-steps.ts'

export type PlayOptions = {
  readonly say: (line: string) => void
  /** Also waits for a quote to expire. */
  readonly expiry: boolean
}

type Played = Outcome & { readonly title: string; readonly isExpected: boolean }

/** Plays every chapter as the tenant of a running `start`. @returns whether all went as expected */
export async function play(
  { base_url: baseUrl, api_key: apiKey, tron }: Pick<LocalFile, 'base_url' | 'api_key' | 'tron'>,
  { say, expiry }: PlayOptions,
): Promise<boolean> {
  const tell = narrator(say)
  const run = randomUUID().slice(0, 8)
  const wait = async (ms: number): Promise<void> => pause(ms)
  const stage: Stage = {
    shop: shop({ baseUrl, apiKey, narrator: tell, pause: wait }),
    remark: tell.remark,
    pause: wait,
    transactionId: (name) => `demo-${run}-${name}`,
  }
  const begun = new Date()
  await using receiver = await openReceiver()
  const { first, last } = webhookChapters(receiver, begun)
  const played: Played[] = []
  const ending = [...(expiry ? [expired] : []), listing(begun), last]
  for (const chapter of [first, ...fundingChapters(ownWallet(tron)), ...chapters, ...ending]) {
    played.push(await playChapter(chapter, stage, tell))
  }
  const failures = played.filter(({ isExpected }) => !isExpected).length
  say(`\n${table(played)}\n`)
  const seconds = ((Date.now() - begun.getTime()) / 1000).toFixed(1)
  say(
    failures === 0
      ? `${tick(true)} ${played.length} of ${played.length} as expected, in ${seconds} s.`
      : `${tick(false)} ${failures} of ${played.length} otherwise than expected.`,
  )
  if (!expiry) say('  To see a quote expire, which takes a minute: npx -y pnpm@12 demo --expiry')
  return failures === 0
}

async function playChapter(chapter: Chapter, stage: Stage, tell: Narrator): Promise<Played> {
  const { title } = chapter
  tell.title(title)
  const before = await stage.shop.available()
  tell.balance(before, undefined)
  const outcome = await chapter.play(stage).catch((error: unknown): Outcome => {
    const got = error instanceof Error ? error.message : String(error)
    return { expected: 'an answer', got, debited: 0n }
  })
  const after = await stage.shop.available()
  tell.balance(after, after - before)
  const isExpected = outcome.got === outcome.expected && before - after === outcome.debited
  const wanted = `${outcome.expected}, ${inWords(outcome.debited)}`
  tell.verdict(isExpected, isExpected ? wanted : `${outcome.got}; expected ${wanted}`)
  return { title, isExpected, ...outcome }
}

function inWords(debited: bigint): string {
  if (debited === 0n) return 'nothing debited'
  return debited > 0n
    ? `${formatUsdt(debited)} USDT debited`
    : `${formatUsdt(-debited)} USDT credited`
}

/** One line a chapter: how it ended, and what it cost. */
function table(played: readonly Played[]): string {
  const titleWidth = Math.max(...played.map(({ title }) => title.length))
  const lines = played.map(({ title, isExpected, got, debited }, index) => {
    const number = String(index + 1).padStart(2)
    const cost = debited === 0n ? '' : ` ${signed(-debited)}`
    return `${tick(isExpected)} ${number} ${title.padEnd(titleWidth)}  ${got}${cost}`
  })
  return lines.join('\n')
}
