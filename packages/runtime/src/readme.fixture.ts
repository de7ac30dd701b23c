import { jsonLog, pollingLoop, type PollingLoop, readSettings, whole } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import { z } from 'zod'

const Settings = z.object({
  IDLE_MS: whole(10, 60_000).default(250).describe('Pause in milliseconds when nothing is due.'),
})

/** Works until it is stopped. @throws BadSettings naming every variable at fault */
export function startWorking(
  env: Readonly<Record<string, string | undefined>>,
  workOnDue: () => Promise<number>,
): PollingLoop {
  const { IDLE_MS } = readSettings(Settings, env)
  const log = jsonLog('info')
  return pollingLoop(async () => {
    const count = await workOnDue()
    if (count > 0) log.info({ count }, 'worked on due items')
    return count > 0 ? 0 : IDLE_MS // the pause before the next poll
  }, systemTimer)
}
