import { Unavailable, type WebhookSender } from '@quipu/core'
import { sendDigest } from '@quipu/core/operator'
import {
  type AlertRelay,
  alertGatewayOf,
  type NamedLoop,
  namedLoop,
  type PollingLoop,
  pollingLoop,
} from '@quipu/runtime'
import { signedGateway } from '@quipu/webhook-http'
import { alertKey, alertToJson, digestToJson } from '@quipu/wire'
import type { WorkerContext, WorkerStores } from '../ports.ts'

const digestPollMs = 30_000

/** Sends alerts and the daily digest to the operator's gateway, if one is set. */
export function alertLoops(
  { settings, log, now, random, timing }: WorkerContext,
  relay: AlertRelay,
  {
    operatorAlerts: alerts,
    dailyTasks,
    backlog,
    restores,
  }: Pick<WorkerStores, 'operatorAlerts' | 'dailyTasks' | 'backlog' | 'restores'>,
  sender: WebhookSender,
): readonly NamedLoop[] {
  const gateway = alertGatewayOf(settings)
  if (gateway === undefined) return []
  const { post } = signedGateway(sender, gateway, now)
  const { installation } = gateway
  const isLiquidityWatched = typeof settings.NETWORK_LIQUIDITY_FLOOR_BOB === 'object'
  const sendDay = sendDigest(
    {
      dailyTasks,
      now,
      random,
      refused: (day, detail) => log.error({ day, detail }, 'the gateway can never send the digest'),
      send: async (day) => {
        const source = {
          backlog: await backlog.read(),
          isHalted: (await restores.gate()).halt !== null,
          isLiquidityWatched,
        }
        const json = digestToJson(day, settings.DIGEST_LANGUAGE, source, installation)
        return post(json.id, json)
      },
    },
    { hour: settings.DIGEST_HOUR, timezone: settings.DIGEST_TIMEZONE },
  )
  const ports = {
    alerts,
    random,
    timer: timing.timer,
    send: (message: Parameters<typeof alertKey>[0]) => post(alertKey(message), alertToJson(message, installation)),
  }
  return [
    ...relay.loops(ports, { repeatSeconds: settings.OPERATOR_ALERT_REPEAT_SECONDS }),
    namedLoop('operator_digest', digestLoop(sendDay, { log, timer: timing.timer })),
  ]
}

const digestLoop = (
  send: ReturnType<typeof sendDigest>,
  { log, timer }: Pick<WorkerContext, 'log'> & Pick<WorkerContext['timing'], 'timer'>,
): PollingLoop =>
  pollingLoop(async () => {
    try {
      const result = await send()
      if (result.type === 'accepted') log.info({ day: result.message }, 'the gateway accepted the digest of a day')
      if (result.type === 'failed')
        log.warn(
          { day: result.message, detail: result.detail },
          'the gateway did not accept a digest; it is sent again',
        )
    } catch (error) {
      if (!(error instanceof Unavailable)) log.error({ err: error }, 'sending the digest failed; retrying')
    }
    return digestPollMs
  }, timer)
