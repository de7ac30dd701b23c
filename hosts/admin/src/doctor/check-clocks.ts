import { fail, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Others whose answers have a `Date`: independent of this machine and of the database. */
const parties = {
  TRON_NODE_URL: 'clock.node',
  TRON_VERIFIER_URL: 'clock.verifier',
  QR_NETWORK_URL: 'clock.network',
  OPENHUB_URL: 'clock.network',
} as const

const mend =
  'Compare all lines of clock: if most differ, repair the time synchronisation of this machine; if this one alone differs, report it to its operator.'

/** Compares this machine's clock with the `Date` of others' answers. One that does not answer is another check's. */
export async function checkClocks(settings: ReadSettings): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    Object.entries(parties).map(async ([variable, check]) => {
      const url = settings[variable as keyof typeof parties]
      return url === undefined ? [] : comparedWith(url, check, variable)
    }),
  )
  return findings.flat()
}

async function comparedWith(url: string, check: string, variable: string): Promise<readonly Finding[]> {
  const sentAt = Date.now()
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  const [text, middle] = [response?.headers.get('date'), (sentAt + Date.now()) / 2]
  await response?.body?.cancel()
  if (!text) return []
  // The header has whole seconds, rounded down.
  const seconds = Math.round((middle - Date.parse(text) - 500) / 1000)
  if (seconds === 0) return [ok(check, `agrees with the Date of ${variable}`)]
  const detail = `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the Date of ${variable}`
  if (Math.abs(seconds) >= 10) return [fail(check, detail, mend)]
  return [Math.abs(seconds) >= 3 ? warn(check, detail, mend) : ok(check, detail)]
}
